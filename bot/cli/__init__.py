"""The command line. Modules here import the house only inside commands, so that `--help` answers at once."""
