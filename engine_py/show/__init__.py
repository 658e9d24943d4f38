"""Documents and error positions as text for people and for other programs."""
