"""The service's speed beside a bare Flask route's, in the same run."""
