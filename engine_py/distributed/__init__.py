"""A sweep over the machines of a Dask cluster: chunks of points in, a file for each of them out.

`plan` cuts the sweep into chunks, `work` computes one of them on a worker and writes its file,
`spread` has all of them done. It needs the extra `distributed`.
"""
