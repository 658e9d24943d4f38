"""A document -> its backward pass done wrongly, checked, and taken apart, as the lessons do.

Each module takes a document, so the pipeline does not know them: `experiment` walks it in another
order or by other rules and says what was lost, `check` holds its gradients against forward mode and
central differences, `paths` takes one apart, `hessian` differentiates them once more, and `descent`
moves the parameters against them. `table` lists these. `conditions` and `settings` check what they
are given; `term`, `dual`, `roundings`, `program` and `columns` are what they compute with.
"""
