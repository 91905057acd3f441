"""From a cue to words: prompts, models, retries, money."""
