"""Models behind OpenAI-compatible servers; needs the extra `openai`, which is imported only when it is used."""
