"""A sweep over the machines of a Dask cluster: chunks of points in, a file for each of them out.

`plan` cuts the sweep into chunks, and reads its points from a request or a table; `work` has the
workers compute them, each of which writes a file. It needs the extra `distributed`.
"""
