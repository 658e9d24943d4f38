"""A sweep over the machines of a Dask cluster: chunks of points in, a file for each of them out.

`plan` cuts the sweep into chunks, `work` computes one of them on a worker and writes its file,
`spread` has all of them done. The points are those of a request, or the rows of a `table`. It needs
the extra `distributed`.
"""
