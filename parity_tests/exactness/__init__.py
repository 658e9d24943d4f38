"""Every operation compared with MPFR, on operands where rounding is hard."""
