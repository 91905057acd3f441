"""The four formats, with their answers, checks, verdicts and syntheses."""
