"""A document -> its picture as SVG, the same text in every engine.

Read the modules in this order: rank (which layer), weave (cards, lanes and links), arrange (which
order), settle (how high), caption (what is written), layout (all places), draw; `text` and `style`
serve them.
"""
