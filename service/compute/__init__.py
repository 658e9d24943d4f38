"""Checked request -> one document, or many, which are computed while they are sent."""
