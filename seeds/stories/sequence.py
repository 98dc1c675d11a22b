"""All stories of a company, told in the order their dependencies ask for."""

from seeds.company import Company
from seeds.content_packs import ContentLibrary
from seeds.conversation_timing import StoryWriter
from seeds.events import Event
from seeds.spec import Spec
from seeds.stories.bots import tell_machines, tell_reactions
from seeds.stories.calendar_mail import tell_post
from seeds.stories.channels import tell_channels, tell_directs
from seeds.stories.chats import tell_acks, tell_chats
from seeds.stories.handovers import tell_handovers
from seeds.stories.incidents import Incidents
from seeds.stories.issues import Issues
from seeds.stories.mail_exchanges import Letters
from seeds.stories.notification_mail import tell_notices
from seeds.stories.pulls import Pulls
from seeds.stories.releases import Releases
from seeds.stories.requests import tell_requests
from seeds.stories.sprints import Sprint, tell_sprints
from seeds.targets import target_quantity

ACKS = 0.3  # of the conversations that somebody else had the last word in


def tell_everything(spec: Spec, company: Company, library: ContentLibrary) -> tuple[list[Event], dict[str, Sprint]]:
    """The ordered event log of a company, and its sprints."""
    teller = StoryWriter(spec, company)
    tell_channels(teller, library.plain["channels"])
    sprints = tell_sprints(teller, library.plain["jira"])
    issues, releases = Issues(teller, sprints, Pulls(teller, library.plain["pulls"])), Releases(teller)
    for epic in library.epics:
        issues.tell_epic(epic)
    requests = library.plain["requests"]
    requested, letters = tell_requests(teller, issues, requests, target_quantity(spec.size, "requests"))
    tell_handovers(teller, [one for one in library.epics if one.loose], issues, requests["handovers"])
    releases.release_finished(issues, but=[one.deploy for one in library.incidents])
    incidents = Incidents(teller, issues, releases)
    for incident in library.incidents:
        incidents.tell(incident)
    issues.tell_links((*library.epics, *requested))
    releases.release_finished(issues)
    releases.number()
    tell_machines(teller, issues)
    tell_chats(
        teller,
        library.chats,
        target_quantity(spec.size, "human_messages"),
        {handle: life.made for handle, life in issues.lives.items() if life.made},
    )
    tell_directs(teller)
    tell_acks(teller, library.plain["acks"], ACKS)
    tell_reactions(teller)
    Letters(teller, issues).tell((*library.letters, *letters), target_quantity(spec.size, "letters"))
    tell_notices(teller, sprints)
    tell_post(teller, library.plain["post"])
    return teller.log.list_events(), sprints
