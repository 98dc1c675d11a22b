"""Operations on notifications, watching, stars and event feeds."""
