"""The engine over HTTP.

A request waits for its turn in `app`, and `routes` chooses its view. `request` reads and
checks it, `compute` has the engine answer it, `reply` writes the answer or a problem. `server`
starts the process, `observe` logs and counts.
"""
