"""What a request costs the service, beside a bare Flask route."""
