"""Lines of JSON -> responses: the worker of the parity tests (`protocol.schema.json`)."""
