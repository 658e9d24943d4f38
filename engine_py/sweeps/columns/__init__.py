"""Many points at once: a program's operations on columns of points, for numpy."""
