"""Writes `schema.graphql`, the served subset, from the published schema: `python -m apps.github.graphql.subset
published.graphql`.

Served types are whole but for fields whose own type is not served. Names and types are the vendor's; descriptions and
reasons are left out.
"""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from graphql import (
    ConstDirectiveNode,
    DefinitionNode,
    EnumTypeDefinitionNode,
    FieldDefinitionNode,
    InputObjectTypeDefinitionNode,
    InputValueDefinitionNode,
    InterfaceTypeDefinitionNode,
    ListTypeNode,
    NamedTypeNode,
    NameNode,
    NonNullTypeNode,
    ObjectTypeDefinitionNode,
    ScalarTypeDefinitionNode,
    TypeNode,
    UnionTypeDefinitionNode,
    parse,
    print_ast,
)

SCHEMA = Path(__file__).parent / "schema.graphql"
BUILT_IN = {"String", "Int", "Float", "Boolean", "ID"}
QUERIES = (
    "id",
    "meta",
    "node",
    "nodes",
    "organization",
    "rateLimit",
    "relay",
    "repository",
    "repositoryOwner",
    "resource",
    "search",
    "topic",
    "user",
    "viewer",
)
MUTATIONS = (
    "addAssigneesToAssignable",
    "addComment",
    "addLabelsToLabelable",
    "addPullRequestReview",
    "addPullRequestReviewComment",
    "addPullRequestReviewThread",
    "addPullRequestReviewThreadReply",
    "addReaction",
    "addStar",
    "addSubIssue",
    "archiveRepository",
    "clearLabelsFromLabelable",
    "closeIssue",
    "closePullRequest",
    "convertPullRequestToDraft",
    "createCommitOnBranch",
    "createIssue",
    "createLabel",
    "createPullRequest",
    "createRef",
    "createRepository",
    "deleteIssue",
    "deleteIssueComment",
    "deleteLabel",
    "deletePullRequestReview",
    "deletePullRequestReviewComment",
    "deleteRef",
    "disablePullRequestAutoMerge",
    "dismissPullRequestReview",
    "enablePullRequestAutoMerge",
    "followUser",
    "lockLockable",
    "markFileAsViewed",
    "markPullRequestReadyForReview",
    "mergePullRequest",
    "minimizeComment",
    "pinIssue",
    "removeAssigneesFromAssignable",
    "removeLabelsFromLabelable",
    "removeReaction",
    "removeStar",
    "removeSubIssue",
    "reopenIssue",
    "reopenPullRequest",
    "reprioritizeSubIssue",
    "requestReviews",
    "resolveReviewThread",
    "revertPullRequest",
    "submitPullRequestReview",
    "transferIssue",
    "unarchiveRepository",
    "unfollowUser",
    "unlockLockable",
    "unmarkFileAsViewed",
    "unminimizeComment",
    "unpinIssue",
    "unresolveReviewThread",
    "updateIssue",
    "updateIssueComment",
    "updateLabel",
    "updatePullRequest",
    "updatePullRequestBranch",
    "updatePullRequestReview",
    "updatePullRequestReviewComment",
    "updateRef",
    "updateSubscription",
)
OBJECTS = """
    User Organization Bot Repository Issue PullRequest IssueComment Label Milestone Team Release ReleaseAsset Ref Commit Tree TreeEntry Blob Tag
    GitActor PullRequestReview PullRequestReviewComment PullRequestReviewThread PullRequestCommit PullRequestChangedFile ReviewRequest Reaction
    ReactionGroup CheckRun CheckSuite CheckStep CheckAnnotation Status StatusContext StatusCheckRollup StatusCheckRollupContextConnection
    CheckRunStateCount StatusContextStateCount App WorkflowRun Workflow AutoMergeRequest BranchProtectionRule RefUpdateRule IssueTemplate
    PullRequestTemplate Language License Topic RepositoryTopic CommitComment SubIssuesSummary UserContentEdit Comparison Project ProjectCard
    ProjectColumn ProjectV2 ProjectV2Item ProjectV2ItemFieldSingleSelectValue ProjectV2ItemFieldTextValue Discussion DiscussionCategory
    DiscussionComment Gist GistFile RateLimit GitHubMetadata PageInfo Deployment DeploymentStatus Environment LinkedBranch UserStatus
    RepositoryContactLink FundingLink RepositoryPlanFeatures MergeQueue MergeQueueEntry Push Submodule CodeOfConduct
    AddedToProjectEvent AssignedEvent AutoMergeDisabledEvent AutoMergeEnabledEvent AutoRebaseEnabledEvent AutoSquashEnabledEvent
    BaseRefChangedEvent BaseRefDeletedEvent ClosedEvent ConvertToDraftEvent CrossReferencedEvent DemilestonedEvent HeadRefDeletedEvent
    HeadRefForcePushedEvent HeadRefRestoredEvent LabeledEvent LockedEvent MarkedAsDuplicateEvent MentionedEvent MergedEvent MilestonedEvent
    ParentIssueAddedEvent ParentIssueRemovedEvent PinnedEvent ReadyForReviewEvent ReferencedEvent RenamedTitleEvent ReopenedEvent
    ReviewDismissedEvent ReviewRequestRemovedEvent ReviewRequestedEvent SubIssueAddedEvent SubIssueRemovedEvent SubscribedEvent TransferredEvent
    UnassignedEvent UnlabeledEvent UnlockedEvent UnpinnedEvent UnsubscribedEvent PinnedIssue
    RepositoryCollaboratorConnection OrganizationMemberConnection TeamMemberConnection TeamRepositoryConnection StarredRepositoryConnection
    StargazerConnection LanguageConnection SearchResultItemConnection IssueTimelineItemsConnection PullRequestTimelineItemsConnection
    CommitHistoryConnection ReviewRequestConnection FollowerConnection FollowingConnection
""".split()


class Subset:
    """The definitions that are served."""

    def __init__(self, published: str) -> None:
        definitions: list[Any] = list(parse(published, no_location=True).definitions)
        self._all: dict[str, Any] = {one.name.value: one for one in definitions if hasattr(one, "name")}
        self._objects = self._list_served_objects()
        self._reached: set[str] = set()

    def _list_served_objects(self) -> set[str]:
        served = {"Query", "Mutation", *OBJECTS}
        served |= {self._payload(name) for name in MUTATIONS}
        while fresh := {name for name in self._all if name not in served and self._lists_served(name, served)}:
            served |= fresh
        return served

    def _payload(self, mutation: str) -> str:
        return _type_name(next(one for one in self._fields("Mutation") if one.name.value == mutation).type)

    def _fields(self, name: str) -> tuple[FieldDefinitionNode, ...]:
        return tuple(getattr(self._all[name], "fields", None) or ())

    def _lists_served(self, name: str, served: set[str]) -> bool:
        """Whether a type is a connection or an edge of served types."""
        if not isinstance(self._all[name], ObjectTypeDefinitionNode) or not name.endswith(("Connection", "Edge")):
            return False
        fields = {one.name.value: _type_name(one.type) for one in self._fields(name)}
        inner = fields.get("nodes") or fields.get("node")
        return inner is not None and self._is_served(inner, served)

    def _is_served(self, name: str, served: Iterable[str]) -> bool:
        """Whether an output type is served: a listed object, or an interface or union with a listed member."""
        kind = self._all.get(name)
        if name in BUILT_IN or isinstance(kind, ScalarTypeDefinitionNode | EnumTypeDefinitionNode):
            return True
        if isinstance(kind, UnionTypeDefinitionNode):
            return any(one.name.value in served for one in kind.types or ())
        if isinstance(kind, InterfaceTypeDefinitionNode):
            return any(
                isinstance(other, ObjectTypeDefinitionNode)
                and one in served
                and name in {face.name.value for face in other.interfaces or ()}
                for one, other in self._all.items()
            )
        return name in served

    def definitions(self) -> list[DefinitionNode]:
        """Return every reachable definition, by name."""
        waiting = ["Query", "Mutation", *sorted(self._objects - {"Query", "Mutation"})]
        made: dict[str, DefinitionNode] = {}
        while waiting:
            name = waiting.pop()
            if name in made or name in BUILT_IN:
                continue
            made[name] = self._bare(self._all[name])
            waiting += self._reached
            self._reached.clear()
        return [made[name] for name in sorted(made)]

    def _reach(self, node: TypeNode) -> TypeNode:
        self._reached.add(_type_name(node))
        return node

    def _bare(self, kind: Any) -> Any:
        """Return a definition without descriptions and unserved fields."""
        name = NameNode(value=kind.name.value)
        if isinstance(kind, ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode):
            faces = [one for one in kind.interfaces or () if self._is_served(one.name.value, self._objects)]
            for face in faces:
                self._reach(face)
            fields = tuple(self._field(one) for one in kind.fields or () if self._is_kept(kind, one))
            return type(kind)(name=name, interfaces=tuple(faces), fields=fields, directives=())
        if isinstance(kind, UnionTypeDefinitionNode):
            kept = tuple(one for one in kind.types or () if one.name.value in self._objects)
            return UnionTypeDefinitionNode(name=name, types=tuple(self._member(one) for one in kept), directives=())
        if isinstance(kind, InputObjectTypeDefinitionNode):
            return InputObjectTypeDefinitionNode(
                name=name, fields=tuple(map(self._input, kind.fields or ())), directives=()
            )
        if isinstance(kind, EnumTypeDefinitionNode):
            values = tuple(
                type(one)(name=one.name, directives=_keep_deprecation(one.directives)) for one in kind.values or ()
            )
            return EnumTypeDefinitionNode(name=name, values=values, directives=())
        return ScalarTypeDefinitionNode(name=name, directives=())

    def _member(self, node: NamedTypeNode) -> NamedTypeNode:
        self._reached.add(node.name.value)
        return node

    def _is_kept(self, kind: Any, field: FieldDefinitionNode) -> bool:
        if kind.name.value == "Query":
            return field.name.value in QUERIES
        if kind.name.value == "Mutation":
            return field.name.value in MUTATIONS
        return self._is_served(_type_name(field.type), self._objects)

    def _field(self, field: FieldDefinitionNode) -> FieldDefinitionNode:
        return FieldDefinitionNode(
            name=field.name,
            type=self._reach(field.type),
            arguments=tuple(map(self._input, field.arguments or ())),
            directives=_keep_deprecation(field.directives),
        )

    def _input(self, one: InputValueDefinitionNode) -> InputValueDefinitionNode:
        deprecated = _keep_deprecation(one.directives)
        return InputValueDefinitionNode(
            name=one.name, type=self._reach(one.type), default_value=one.default_value, directives=deprecated
        )


def _type_name(node: TypeNode) -> str:
    while isinstance(node, ListTypeNode | NonNullTypeNode):
        node = node.type
    assert isinstance(node, NamedTypeNode)
    return node.name.value


def _keep_deprecation(directives: Iterable[ConstDirectiveNode] | None) -> tuple[ConstDirectiveNode, ...]:
    """Keep deprecation marks, without their reasons."""
    return tuple(type(one)(name=one.name, arguments=()) for one in directives or () if one.name.value == "deprecated")


def subset(published: str) -> str:
    """Return the served schema as text."""
    head = "# Names and types of the vendor's published schema that are served; written by subset.py.\n\n"
    return head + "\n\n".join(print_ast(one) for one in Subset(published).definitions()) + "\n"


if __name__ == "__main__":
    SCHEMA.write_text(subset(Path(sys.argv[1]).read_text(encoding="utf-8")), encoding="utf-8")
