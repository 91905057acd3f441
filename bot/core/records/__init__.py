"""What a panel shows and leaves behind: card, transcript, record, trends."""
