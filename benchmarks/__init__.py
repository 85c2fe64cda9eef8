"""Figures about speed, printed by ``python -m benchmarks``. Nothing here passes or fails."""
