"""A document -> its picture as SVG, the same text in every engine (CONTRACT.md R34).

Read the modules in this order: `layers` (what stands in which layer, from top to bottom),
`captions` (what is written), `layout` (all places), `draw`.
"""
