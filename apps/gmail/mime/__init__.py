"""RFC 822 mail as bytes: parsing, the vendor's display form, and building. Has no tables and knows no world."""
