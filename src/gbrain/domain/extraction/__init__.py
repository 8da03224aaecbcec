"""Facts out of what a person said: what the text is made ready with, and how a model's answer is read. Pure rules."""
