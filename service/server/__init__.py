"""The process that serves: granian around an ASGI application around the WSGI application."""

import os

# granian's allocator reads this when it is loaded: unused memory goes back to the system at once.
os.environ.setdefault("_RJEM_MALLOC_CONF", "dirty_decay_ms:0,muzzy_decay_ms:0")
