"""Builds everything that is published; tests/ tries it outside this checkout."""
