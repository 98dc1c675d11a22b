"""Spreadsheets as files: import and export of xlsx, csv and tsv; export of ods and web pages."""
