"""Spreadsheets as files: xlsx, csv and tsv, in and out; ods and web pages out."""
