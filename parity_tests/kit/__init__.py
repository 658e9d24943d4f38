"""The test harness: cases, workers and their protocol, and the report."""
