"""From what somebody asks for to an opened panel."""
