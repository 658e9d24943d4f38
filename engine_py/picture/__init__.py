"""A document -> its picture as SVG, the same text in every engine (CONTRACT.md R34).

Read the modules in this order: rank (which layer), weave (cards, lanes and links), arrange (which
order), settle (how high), caption (what is written), layout (all places), draw; `text` and `style`
serve them.
"""
