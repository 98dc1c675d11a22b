"""What the API's answers and the page show of spreadsheets."""
