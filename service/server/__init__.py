"""The process that serves: granian around an ASGI application around the WSGI application."""

import os

# granian's allocator reads this when it is loaded. Unused memory goes back to the system within
# 10 ms: at once would take a sixth of a small request's time, for a buffer that the next one needs.
# And a buffer of 16 kB, of which a connection has used a line, holds 8 kB instead of 16.
os.environ.setdefault(
    "_RJEM_MALLOC_CONF",
    "dirty_decay_ms:10,muzzy_decay_ms:0,cache_oblivious:false,tcache_max:4096",
)
