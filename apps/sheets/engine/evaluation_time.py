"""Clock, random seed and locale of an evaluation."""

import datetime
from dataclasses import dataclass
from functools import lru_cache
from zoneinfo import ZoneInfo

from apps.sheets.cells import DAY_ZERO
from apps.sheets.engine.values import Words
from apps.sheets.formats import entry, entry_dates
from apps.sheets.formats.locales import locale_of


@dataclass(frozen=True, slots=True)
class Moment:
    """The clock of TODAY and NOW (microseconds UTC, shown in `zone`), the seed of RAND, and the locale."""

    now_us: int = 0
    zone: str = "Etc/GMT"
    seed: int = 0
    locale: str = "en_US"

    def serial(self) -> float:
        """Current time as days since 1899-12-30 on the zone's clock, to the millisecond."""
        utc = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC) + datetime.timedelta(microseconds=self.now_us)
        local = utc.astimezone(ZoneInfo(self.zone))
        part = (local.hour * 3600 + local.minute * 60 + local.second) * 1000 + local.microsecond // 1000
        return local.toordinal() - DAY_ZERO + part / 86_400_000


@lru_cache(maxsize=64)
def words_of(moment: Moment) -> Words | None:
    """Return the number format of a moment's locale; None for American English."""
    locale, now, zone = moment.locale, moment.now_us, moment.zone
    if locale_of(locale) is locale_of("en_US"):
        return None

    @lru_cache(maxsize=4096)
    def number_of(text: str) -> float | None:
        kind, told = (
            entry.parse_entry(text.strip(), locale, now, zone).entry
            if text.strip()[:1] not in ("", "=", "'")
            else ("", "")
        )
        return float(told) if kind == "number" else None

    def date_of(text: str) -> float | None:
        found = entry_dates.parse_moment(text.strip(), locale, now, zone)
        return found.serial if found else None

    return Words(number_of, date_of, locale_of(locale).decimal)
