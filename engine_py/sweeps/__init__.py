"""Program + axes -> results and gradients at many points, in columns."""
