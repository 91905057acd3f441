"""The orchestrator and all that works under it, on fakes."""
