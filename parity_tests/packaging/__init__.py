"""What is published: how it is built, and, in tests/, tried where this checkout is not."""
