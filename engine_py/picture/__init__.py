"""A document -> its picture as SVG, the same text in every engine (CONTRACT.md R34).

Read the modules in this order: `layers` (the items of each layer, from top to bottom), `captions`
(all texts), `layout` (all positions), `draw`.
"""
