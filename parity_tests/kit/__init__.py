"""What holds an engine to the contract: the cases, the workers and their protocol, the report."""
