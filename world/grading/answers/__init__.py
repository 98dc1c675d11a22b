"""The submitted answer: the types of its fields, the reading of a value, and whether it is right."""
