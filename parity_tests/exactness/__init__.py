"""Every operation beside MPFR, on operands where rounding is hard."""
