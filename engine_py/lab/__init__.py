"""A document -> experiments on its backward pass, checks, paths, second derivatives, descent.

Each module takes a document, so the pipeline does not depend on them. `experiment` repeats the
backward pass in another order or by other rules, and says what was lost. `check` compares gradients
with forward mode and central differences, `paths` splits one into a sum over paths, `hessian`
computes second derivatives, and `descent` moves the parameters against the gradient. `table` lists
these functions. `conditions` and `settings` check their arguments; `term`, `dual`, `roundings`,
`program` and `columns` are what they compute with.
"""
