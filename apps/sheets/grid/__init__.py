"""What cells look like and allow: formats, conditions, filters, chips, validation, protection."""
