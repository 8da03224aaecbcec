"""The privacy sweep: every operation, asked of two brains that differ in nothing but what the caller may not see."""
