"""A program and its values -> how many bits of each number of its document are right.

`ball` has arithmetic on enclosures of real numbers, `functions` the elementary functions on them,
`enclosures` the operations. `truth` computes all data and gradients with more and more bits until
each number rounds to one double. `attribution` finds the roundings that cause an error, `claims`
compares gradients with the exact ones, `finite_differences` differentiates in other ways.
`accuracy` checks the members of a request and writes the reply.
"""
