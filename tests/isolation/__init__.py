"""What keeps a test run to this machine: no network but loopback, no settings but the tests' own."""
