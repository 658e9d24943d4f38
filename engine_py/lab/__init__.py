"""A document -> the backward pass done wrongly, checked, and taken apart, as the lessons do.

Each module takes a document, so the pipeline does not know them: `experiment` walks it in another
order or with other rules and says what was lost, `paths` takes a gradient apart by paths.
"""
