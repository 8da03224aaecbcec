"""The files of the sentence model all-MiniLM-L6-v2, 8-bit, for gbrain. Data only."""
