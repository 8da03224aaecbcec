"""Sources with a folder: taken in by a sync, and written through to. Loads yaml and git, so only where it is needed."""
