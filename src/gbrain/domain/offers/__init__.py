"""What a conversation calls to mind: which pages to offer for what was just said. No model, no I/O."""
