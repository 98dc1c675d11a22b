"""What a text that others can read may not say, whatever it is about: secrets, insults, accusations, orders to programs."""
