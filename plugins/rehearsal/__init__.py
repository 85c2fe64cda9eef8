"""Play without QQ: scenario files, through the real words, desk, engine and texts.

python -m plugins.rehearsal FILE…
"""
