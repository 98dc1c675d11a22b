"""Mailing lists: the addresses that stand for several people."""

from collections.abc import Iterator
from dataclasses import dataclass

from seeds.company import Company, Staff, company_pack
from seeds.role_selectors import fits


@dataclass(frozen=True, slots=True)
class MailingList:
    """A mailing list: who gets its mail, `selectors` or a team or everybody."""

    address: str
    name: str
    team: str = ""
    everyone: bool = False
    selectors: tuple[str, ...] = ()

    def members(self, company: Company, at: int) -> list[Staff]:
        """Return the members at a time, in order of their ids."""
        if self.team:
            found = {one.seat for one in _below(company, self.team)}
            return [one for one in company.staff.values() if one.seat in found and one.is_employed(at)]
        return [
            one
            for one in company.staff.values()
            if one.is_employed(at) and (self.everyone or any(fits(company, one, s) for s in self.selectors))
        ]


def _below(company: Company, team: str) -> Iterator[Staff]:
    """People of a team and of all teams below it."""
    yield from (one for one in company.staff.values() if one.team == team)
    for one in company.teams.values():
        if one.parent == team:
            yield from _below(company, one.key)


def circles(company: Company) -> dict[str, MailingList]:
    """The company's lists by the part before the @."""
    domain = company.domain
    made = [MailingList(f"everyone@{domain}", "Everyone", everyone=True)]
    made += [MailingList(f"{one.key}@{domain}", one.name, team=one.key) for one in company.teams.values()]
    made += [
        MailingList(f"{one['address']}@{domain}", one["name"], selectors=tuple(one["members"]))
        for one in company_pack("shop")["lists"]
    ]
    return {one.address.partition("@")[0]: one for one in made}
