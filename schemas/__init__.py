"""The contract: its rules, its JSON Schemas, and the tables that all engines read."""
