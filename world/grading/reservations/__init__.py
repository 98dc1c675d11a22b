"""What an author says against their own answer: that they have not looked, are guessing, or have done a part of it."""
