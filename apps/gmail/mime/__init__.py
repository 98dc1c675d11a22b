"""RFC 822 mail as bytes: read, shown as the vendor shows it, and built. Holds no tables and knows no world."""
