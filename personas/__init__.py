"""The bundled personas (`*.md`) and the loader for every kind of persona catalog."""
