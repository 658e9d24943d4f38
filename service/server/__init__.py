"""The process that serves: uvicorn's protocol around an entry around the WSGI application."""
