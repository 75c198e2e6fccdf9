"""How bench/slowdown measures; bench/README.md says which file does what."""
