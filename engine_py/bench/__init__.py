"""The engine's speed relative to micrograd, on the same graphs in the same run."""
