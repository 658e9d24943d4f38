"""Checked request -> documents, by the engine, made while they are sent where they are many."""
