import { git } from "./sources.mjs";

/** The identity of a commit for a person, because a rewrite changes its id. */
const KEY = "%an%x00%ae%x00%at%x00%s";
const PLACE = "packages/lib";
/** The numbers of files whose log is compared, and of lines whose blame is. */
const FILES = 20;
const LINES = 200;

/**
 * Compares a migration with its source.
 * @param deep whether to compare logs and blame, which takes minutes for long histories
 * @returns fractions of 1, and counts
 */
export function measureQuality(source, branch, target, deep) {
  const wanted = linesOf(git(source, "log", `--format=${KEY}`, branch));
  const found = new Map();
  for (const key of linesOf(git(target, "log", `--format=${KEY}`, "HEAD")))
    found.set(key, (found.get(key) ?? 0) + 1);
  const reachable = wanted.filter((key) => {
    const left = found.get(key) ?? 0;
    found.set(key, left - 1);
    return left > 0;
  }).length;
  const all = linesOf(git(source, "ls-tree", "-r", branch))
    .filter((line) => line.startsWith("100"))
    .map((line) => line.slice(line.indexOf("\t") + 1))
    .filter((path) => !path.startsWith('"'));
  const every = Math.max(1, Math.floor(all.length / FILES));
  const files = all
    .filter((_, index) => index % every === 0)
    .slice(0, deep ? FILES : 0);
  let logs = 0;
  let lines = 0;
  let blamed = 0;
  for (const path of files) {
    const log = (dir, commit, at) =>
      git(dir, "log", `--format=${KEY}`, commit, "--", at);
    if (log(source, branch, path) === log(target, "HEAD", `${PLACE}/${path}`))
      logs += 1;
    const there = blame(source, branch, path);
    const here = blame(target, "HEAD", `${PLACE}/${path}`);
    const step = Math.max(1, Math.ceil((there.length * files.length) / LINES));
    for (let line = 0; line < there.length; line += step) {
      lines += 1;
      if (there[line] === here[line]) blamed += 1;
    }
  }
  const merges = (dir, commit) =>
    Number(git(dir, "rev-list", "--count", "--merges", commit));
  const tree = (dir, of) => git(dir, "rev-parse", of);
  return {
    reachable: reachable / wanted.length,
    logs: deep ? logs / files.length : undefined,
    blame: deep ? blamed / lines : undefined,
    // One merge is that of the migration.
    merges: `${Math.max(0, merges(target, "HEAD") - 1)} of ${merges(source, branch)}`,
    tags: `${linesOf(git(target, "tag")).length} of ${linesOf(git(source, "tag", "--merged", branch)).length}`,
    sameTip: tree(source, `${branch}^{tree}`) === tree(target, `HEAD:${PLACE}`),
  };
}

function linesOf(text) {
  return text.split("\n").filter((line) => line !== "");
}

/** Returns the author, the time, and the commit's summary of each line. */
function blame(dir, commit, path) {
  const lines = [];
  let now = [];
  for (const line of git(
    dir,
    "blame",
    "--line-porcelain",
    commit,
    "--",
    path,
  ).split("\n")) {
    if (/^(?:author|author-time|summary) /.test(line)) now.push(line);
    if (!line.startsWith("\t")) continue;
    lines.push(now.join("\n"));
    now = [];
  }
  return lines;
}
