"""The engine's speed, beside micrograd's on the same graphs in the same run."""
