"""Display and constraints of cells: formats, conditions, filters, chips, validation, protection."""
