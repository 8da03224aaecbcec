"""Pure functions of the brain: no clock, no files, no settings."""
