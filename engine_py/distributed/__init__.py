"""A sweep over the machines of a Dask cluster: chunks of points in, one file for each chunk out.

`plan` cuts the sweep into chunks and reads its points from a request or a table; `work` has the
workers compute the chunks and write the files. Both need the extra `distributed`.
"""
