"""What operators see of the service: metrics and log lines."""
