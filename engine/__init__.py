"""The rules of 版杀 games: pure, deterministic, without clock, chance, I/O or sentences."""
