"""The site of `make docs`: what gathers its texts, and what is written for it alone."""
