"""Documents, and places in a text, as text for people and for other programs."""
