"""Reading of a row as a person sees it: its passages without markup, and the marks on stretches of them."""
