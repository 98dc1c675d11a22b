"""The submitted answer: what its fields take, what a value says, whether it is right."""
