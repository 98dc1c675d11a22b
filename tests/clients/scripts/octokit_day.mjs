// A working day through @octokit/rest: `node octokit_day.mjs`; prints one line of what it touched.
//
// FIRM_URL is the address of the API, FIRM_TOKEN speaks for ada and FIRM_PEER_TOKEN for bo.
import assert from "node:assert/strict";
import { Octokit } from "@octokit/rest";

const baseUrl = process.env.FIRM_URL;
const hub = new Octokit({ auth: process.env.FIRM_TOKEN, baseUrl });
const peer = new Octokit({ auth: process.env.FIRM_PEER_TOKEN, baseUrl });
const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const nobody = new Octokit({ auth: "ghp_nobody", baseUrl, log: quiet });
const here = { owner: "tiny", repo: "gusts" };
const word = "zephyrine";
const code = "def blow(n):\n    return n + 1\n";
const encoded = (text) => Buffer.from(text).toString("base64");
const api = hub.rest;

async function refused(answer) {
  try {
    await answer;
  } catch (error) {
    return [error.name, error.status, error.response.data.message];
  }
  return ["nothing was refused"];
}

async function lookAround() {
  const me = (await api.users.getAuthenticated()).data;
  assert.equal(me.login, "ada");
  assert.equal((await api.users.getByUsername({ username: "bo" })).data.name, "Bo Lindqvist");
  assert.equal((await api.meta.root()).data.current_user_url, `${baseUrl}/user`);
  const limit = await api.rateLimit.get();
  assert.equal(limit.data.resources.core.limit, Number(limit.headers["x-ratelimit-limit"]));
  const made = (await api.repos.createInOrg({ org: "tiny", name: here.repo, private: true, auto_init: true })).data;
  assert.equal(made.full_name, "tiny/gusts");
  await api.repos.createForAuthenticatedUser({ name: "leaves" });
  for (const list of [api.repos.listForOrg, api.repos.listForAuthenticatedUser, api.repos.listForUser]) {
    const names = (await hub.paginate(list, { org: "tiny", username: "ada", per_page: 1 })).map((one) => one.name);
    assert.ok(names.includes(list === api.repos.listForUser ? "leaves" : "gusts"), names);
  }
  await api.repos.addCollaborator({ ...here, username: "bo", permission: "push" });
  return me.id;
}

async function contents() {
  const put = (path, text, more) => api.repos.createOrUpdateFileContents({ ...here, path, message: `Write ${path}`, content: encoded(text), ...more });
  const made = (await put("src/wind.py", code)).data;
  const read = (await api.repos.getContent({ ...here, path: "src/wind.py" })).data;
  assert.equal(Buffer.from(read.content, "base64").toString(), code);
  const raw = await api.repos.getContent({ ...here, path: "src/wind.py", mediaType: { format: "raw" } });
  assert.equal(raw.data, code);
  const gone = (await put("gone.txt", "x\n")).data;
  await api.repos.deleteFile({ ...here, path: "gone.txt", message: "Away", sha: gone.content.sha });
  assert.deepEqual((await api.repos.getContent({ ...here, path: "" })).data.map((one) => one.name), ["README.md", "src"]);
  await put("src/wind.py", code.replace("+ 1", "+ 2"), { sha: made.content.sha });
  return put;
}

async function gitData() {
  const main = (await api.repos.getBranch({ ...here, branch: "main" })).data.commit.sha;
  const blob = (await api.git.createBlob({ ...here, content: "by hand\n" })).data;
  const base = (await api.git.getCommit({ ...here, commit_sha: main })).data.tree.sha;
  const entry = { path: "hand.txt", mode: "100644", type: "blob", sha: blob.sha };
  const tree = (await api.git.createTree({ ...here, base_tree: base, tree: [entry] })).data;
  const made = (await api.git.createCommit({ ...here, message: "By hand", tree: tree.sha, parents: [main] })).data;
  await api.git.createRef({ ...here, ref: "refs/heads/hand", sha: main });
  await api.git.updateRef({ ...here, ref: "heads/hand", sha: made.sha });
  assert.equal((await api.git.getRef({ ...here, ref: "heads/hand" })).data.object.sha, made.sha);
  assert.equal((await api.git.listMatchingRefs({ ...here, ref: "heads/ha" })).data.length, 1);
  const tag = (await api.git.createTag({ ...here, tag: "v1", message: "One", object: made.sha, type: "commit" })).data;
  assert.equal((await api.git.getTag({ ...here, tag_sha: tag.sha })).data.tag, "v1");
  assert.equal((await api.git.getTree({ ...here, tree_sha: tree.sha, recursive: "1" })).data.tree.length, 4);
  assert.equal((await api.git.getBlob({ ...here, file_sha: blob.sha })).data.size, 8);
  assert.deepEqual((await api.repos.listBranches(here)).data.map((one) => one.name), ["hand", "main"]);
  const compared = (await api.repos.compareCommitsWithBasehead({ ...here, basehead: "main...hand" })).data;
  assert.deepEqual([compared.ahead_by, compared.files[0].filename], [1, "hand.txt"]);
  assert.equal((await hub.paginate(api.repos.listCommits, { ...here, per_page: 2 })).length, 5);
  const diff = await api.repos.getCommit({ ...here, ref: made.sha, mediaType: { format: "diff" } });
  assert.match(diff.data, /^diff --git a\/hand.txt/);
  await api.git.deleteRef({ ...here, ref: "heads/hand" });
}

async function labels() {
  await api.issues.createLabel({ ...here, name: "gusty", color: "00ff00" });
  await api.issues.updateLabel({ ...here, name: "gusty", new_name: "gusts", description: "Strong" });
  assert.equal((await api.issues.getLabel({ ...here, name: "gusts" })).data.description, "Strong");
  await api.issues.createLabel({ ...here, name: "spare" });
  await api.issues.deleteLabel({ ...here, name: "spare" });
  assert.equal((await hub.paginate(api.issues.listLabelsForRepo, { ...here, per_page: 4 })).length, 10);
  const stone = (await api.issues.createMilestone({ ...here, title: "v1" })).data.number;
  await api.issues.updateMilestone({ ...here, milestone_number: stone, description: "All" });
  assert.equal((await api.issues.getMilestone({ ...here, milestone_number: stone })).data.description, "All");
  const spare = (await api.issues.createMilestone({ ...here, title: "never" })).data.number;
  await api.issues.deleteMilestone({ ...here, milestone_number: spare });
  assert.equal((await api.issues.listMilestones(here)).data.length, 1);
  return stone;
}

async function issues(milestone) {
  const text = { title: `Too much ${word}`, body: "It blows, @bo.", labels: ["gusts"], assignees: ["bo"], milestone };
  const issue = (await api.issues.create({ ...here, ...text })).data;
  const it = { ...here, issue_number: issue.number };
  await api.issues.update({ ...it, state: "closed", state_reason: "not_planned" });
  await api.issues.update({ ...it, state: "open" });
  assert.equal((await api.issues.get(it)).data.state, "open");
  await api.issues.addLabels({ ...it, labels: ["bug"] });
  await api.issues.removeLabel({ ...it, name: "gusts" });
  await api.issues.setLabels({ ...it, labels: ["gusts", "bug"] });
  assert.equal((await api.issues.listLabelsOnIssue(it)).data.length, 2);
  assert.equal((await api.issues.listLabelsForMilestone({ ...here, milestone_number: milestone })).data.length, 2);
  await api.issues.addAssignees({ ...it, assignees: ["ada"] });
  await api.issues.removeAssignees({ ...it, assignees: ["bo"] });
  assert.equal((await api.issues.checkUserCanBeAssigned({ ...here, assignee: "bo" })).status, 204);
  assert.equal((await api.issues.checkUserCanBeAssignedToIssue({ ...it, assignee: "bo" })).status, 204);
  assert.ok((await api.issues.listAssignees(here)).data.length > 1);
  const said = (await peer.rest.issues.createComment({ ...it, body: "First" })).data;
  await api.issues.updateComment({ ...here, comment_id: said.id, body: "First, changed" });
  assert.equal((await api.issues.getComment({ ...here, comment_id: said.id })).data.body, "First, changed");
  const spare = (await api.issues.createComment({ ...it, body: "Spare" })).data;
  await api.issues.deleteComment({ ...here, comment_id: spare.id });
  assert.equal((await api.issues.listComments(it)).data.length, 1);
  assert.equal((await api.issues.listCommentsForRepo(here)).data.length, 1);
  await api.issues.lock({ ...it, lock_reason: "resolved" });
  await api.issues.unlock(it);
  const events = await hub.paginate(api.issues.listEvents, { ...it, per_page: 3 });
  assert.ok(events.length > 6);
  assert.equal((await api.issues.getEvent({ ...here, event_id: events[0].id })).data.event, events[0].event);
  assert.equal((await hub.paginate(api.issues.listEventsForRepo, { ...here, per_page: 50 })).length, events.length);
  assert.ok((await api.issues.listEventsForTimeline(it)).data.some((one) => one.event === "commented"));
  await related(it);
  await api.issues.removeAllLabels(it);
  for (const list of [api.issues.list, api.issues.listForAuthenticatedUser, api.issues.listForOrg, api.issues.listForRepo]) {
    const found = await hub.paginate(list, { ...here, org: "tiny", filter: "all", per_page: 1 });
    assert.ok(found.some((one) => one.title === text.title));
  }
  return issue.number;
}

async function related(it) {
  const small = (await api.issues.create({ ...here, title: "A small part" })).data;
  const first = (await api.issues.create({ ...here, title: "Something else first" })).data;
  await api.issues.addSubIssue({ ...it, sub_issue_id: small.id });
  await api.issues.addSubIssue({ ...it, sub_issue_id: first.id });
  await api.issues.reprioritizeSubIssue({ ...it, sub_issue_id: first.id, before_id: small.id });
  assert.deepEqual((await api.issues.listSubIssues(it)).data.map((one) => one.number), [first.number, small.number]);
  assert.equal((await api.issues.getParent({ ...here, issue_number: small.number })).data.number, it.issue_number);
  await api.issues.removeSubIssue({ ...it, sub_issue_id: first.id });
  await api.issues.addBlockedByDependency({ ...it, issue_id: first.id });
  assert.equal((await api.issues.listDependenciesBlockedBy(it)).data.length, 1);
  assert.equal((await api.issues.listDependenciesBlocking({ ...here, issue_number: first.number })).data.length, 1);
  await api.issues.removeDependencyBlockedBy({ ...it, issue_id: first.id });
}

async function propose(put, closes) {
  const sha = (await api.repos.getBranch({ ...here, branch: "main" })).data.commit.sha;
  await api.git.createRef({ ...here, ref: "refs/heads/storm", sha });
  const old = (await api.repos.getContent({ ...here, path: "src/wind.py", ref: "storm" })).data.sha;
  await put("src/wind.py", code.replace("+ 1", "+ 3"), { branch: "storm", sha: old });
  await put("docs/storm.md", "# Storm\n\nIt storms.\n", { branch: "storm" });
  const pull = (await api.pulls.create({ ...here, title: "A storm", head: "storm", base: "main", body: `Closes #${closes}` })).data;
  const it = { ...here, pull_number: pull.number };
  await api.pulls.update({ ...it, title: `The ${word} storm` });
  assert.equal((await api.pulls.listFiles(it)).data.length, 2);
  assert.equal((await api.pulls.listCommits(it)).data.length, 2);
  assert.deepEqual((await api.pulls.list(here)).data.map((one) => one.number), [pull.number]);
  const patch = await api.pulls.get({ ...it, mediaType: { format: "patch" } });
  assert.match(patch.data, /^From [0-9a-f]{40} /);
  return { ...it, head: (await api.pulls.get(it)).data.head.sha };
}

async function review({ head, ...it }) {
  const theirs = peer.rest.pulls;
  await api.pulls.requestReviewers({ ...it, reviewers: ["bo", "cyrus"] });
  await api.pulls.removeRequestedReviewers({ ...it, reviewers: ["cyrus"] });
  assert.deepEqual((await api.pulls.listRequestedReviewers(it)).data.users.map((one) => one.login), ["bo"]);
  const comments = [{ path: "src/wind.py", line: 2, side: "RIGHT", body: "Why three?" }];
  const pending = (await theirs.createReview({ ...it, comments })).data;
  await theirs.deletePendingReview({ ...it, review_id: pending.id });
  const asked = (await theirs.createReview({ ...it, comments })).data;
  await theirs.submitReview({ ...it, review_id: asked.id, event: "REQUEST_CHANGES", body: "Hm" });
  await theirs.updateReview({ ...it, review_id: asked.id, body: "Hm!" });
  assert.equal((await api.pulls.getReview({ ...it, review_id: asked.id })).data.body, "Hm!");
  const said = (await api.pulls.listCommentsForReview({ ...it, review_id: asked.id })).data[0];
  const answer = (await api.pulls.createReplyForReviewComment({ ...it, comment_id: said.id, body: "Because." })).data;
  await api.pulls.updateReviewComment({ ...here, comment_id: answer.id, body: "Because it storms." });
  assert.equal((await api.pulls.getReviewComment({ ...here, comment_id: answer.id })).data.in_reply_to_id, said.id);
  const lone = (await theirs.createReviewComment({ ...it, commit_id: head, path: "docs/storm.md", line: 3, body: "Here?" })).data;
  assert.equal((await api.pulls.listReviewComments(it)).data.length, 3);
  await theirs.deleteReviewComment({ ...here, comment_id: lone.id });
  assert.equal((await api.pulls.listReviewCommentsForRepo(here)).data.length, 2);
  await api.pulls.dismissReview({ ...it, review_id: asked.id, message: "Answered." });
  await theirs.createReview({ ...it, event: "APPROVE" });
  assert.deepEqual((await api.pulls.listReviews(it)).data.map((one) => one.state).at(-1), "APPROVED");
}

async function merge({ head, ...it }, put) {
  await api.repos.createCommitStatus({ ...here, sha: head, state: "success", context: "wind" });
  assert.equal((await api.repos.getCombinedStatusForRef({ ...here, ref: head })).data.state, "success");
  assert.equal((await api.checks.listForRef({ ...here, ref: head })).data.total_count, 0);
  await put("later.txt", "later\n");
  assert.equal((await api.pulls.updateBranch({ ...it, expected_head_sha: head })).status, 202);
  let seen;
  for (let asked = 0; asked < 20 && (asked === 0 || seen.mergeable === null); asked++) seen = (await api.pulls.get(it)).data;
  assert.equal(seen.mergeable, true);
  assert.equal((await refused(api.pulls.merge({ ...it, sha: head })))[1], 409);
  assert.equal((await api.pulls.merge({ ...it, merge_method: "rebase" })).data.merged, true);
  assert.equal((await api.pulls.checkIfMerged(it)).status, 204);
}

async function search(id) {
  const where = `repo:tiny/gusts`;
  const all = [
    api.search.issuesAndPullRequests({ q: `${word} ${where}`, advanced_search: "true" }), api.search.code({ q: `blow ${where}` }),
    api.search.repos({ q: "gusts in:name" }), api.search.commits({ q: `wind ${where}` }), api.search.users({ q: "bo in:login" }),
    api.search.labels({ repository_id: id, q: "gusts" }), api.search.topics({ q: "wind" }),
  ];
  return (await Promise.all(all)).map((one) => one.data.total_count);
}

async function graphql(number) {
  const query = `query($owner: String!, $repo: String!, $number: Int!) {
    repository(owner: $owner, name: $repo) { issue(number: $number) { title state author { login } } } viewer { login } }`;
  return hub.graphql(query, { ...here, number });
}

async function again() {
  const { headers } = await api.repos.get(here);
  const unchanged = await refused(api.repos.get({ ...here, headers: { "if-none-match": headers.etag } }).catch((error) => {
    error.response ??= { data: { message: "" } };
    throw error;
  }));
  return unchanged[1];
}

const me = await lookAround();
const put = await contents();
await gitData();
const number = await issues(await labels());
const pull = await propose(put, number);
await review(pull);
await merge(pull, put);
const { id } = (await api.repos.get(here)).data;
const found = await search(id);
const asked = await graphql(number);
const quietly = new Octokit({ auth: process.env.FIRM_TOKEN, baseUrl, log: quiet }).rest;
const told = {
  unknown: await refused(quietly.repos.get({ owner: "tiny", repo: "nothing" })),
  invalid: await refused(quietly.issues.createLabel({ ...here, name: "gusts", color: "no colour" })),
  nobody: await refused(nobody.rest.users.getAuthenticated()),
  unchanged: await again(),
};
console.log(JSON.stringify({ me, number, pull: pull.pull_number, found, asked, told }));
