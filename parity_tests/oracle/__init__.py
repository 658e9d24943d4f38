"""References that share nothing with the engines: documents and exact values by MPFR."""
