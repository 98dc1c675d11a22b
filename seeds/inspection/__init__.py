"""What `firm seed check` looks at in a sealed company: figures against their bands, rules of rows, facts across apps."""
