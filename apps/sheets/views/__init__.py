"""Views of spreadsheets in the API's responses and on the page."""
