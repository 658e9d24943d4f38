"""Mutation testing: many small mistakes in copies of both engines, and how many are noticed."""
