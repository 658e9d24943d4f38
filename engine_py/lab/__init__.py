"""A document -> its backward pass done wrongly, checked, and taken apart, as the lessons do.

Each module takes a document, so the pipeline does not know them: `experiment` walks it in another
order or by other rules and says what was lost, `check` holds its gradients against forward mode and
central differences, `paths` takes one apart. `conditions` checks what they are given; `term`,
`roundings` and `program` are what they compute with.
"""
