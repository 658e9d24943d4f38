"""A program and its values -> how many bits of each number of its document are right.

`ball` has arithmetic on enclosures of real numbers, `series` and `functions` the elementary
functions on them, `rows` the operations. `program` computes all data and gradients to some bits,
and `truth` adds bits until each number rounds to one double. `means` and `shares` say which
rounding an error comes from, `claims` compares gradients with the truth, `witnesses` differentiates
in other ways. `asks` checks the members of a request, and `accuracy` writes the reply.
"""
