"""A document -> experiments on its backward pass, paths, second derivatives, descent.

Each module takes a document, so the pipeline does not depend on them. `experiment` repeats the
backward pass in another order or by other rules, and lists what was lost. `paths` splits a gradient
into a sum over paths, `hessian` computes second derivatives, and `descent` moves the parameters
against the gradient. `commands` has a row for each of them. `checks` checks their arguments, and
`tape` computes a document's operations again.
"""
