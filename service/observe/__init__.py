"""What is seen of the service from outside: metrics, log lines, spans."""
