"""Operands where rounding is hard, and the referee who knows the nearest double."""
