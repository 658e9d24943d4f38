"""The process that serves: granian around an ASGI application around the WSGI application."""
