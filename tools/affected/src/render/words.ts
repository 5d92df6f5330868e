import type { Changeset, Unknown } from "@skein/changes";
import { printable } from "@skein/reporting/printable";
import type {
  ExternalUse,
  LockChange,
  NoEffect,
  Reason,
  Referrer,
} from "@skein/workspaces";

/** Renders a reason in one line. */
export function reasonWords(reason: Reason): string {
  switch (reason.kind) {
    case "file":
      return `${printable(reason.path)} (${reason.change})`;
    case "test-file":
      return `${printable(reason.path)} (${reason.change}); no entry point reaches it, so dependents are not affected`;
    case "referenced-file": {
      const { path, referrer, via = [] } = reason;
      const used = usedWords([referrer, ...via]);
      return `${printable(path)}${used}${testWords(reason)}`;
    }
    case "looked-up-file": {
      const { path, by, via } = reason;
      const user = by === undefined ? "" : `, used by ${printable(by)}`;
      const file = `${printable(path)}${via ? usedWords(via) : user}`;
      const reads = reason.isKnown
        ? "looks it up"
        : "may read it: Skein can't tell what this program reads";
      return `${file} (${reason.role}); the script ${printable(reason.script)} runs ${printable(reason.program)}, which ${reads}${aloneWords(reason)}`;
    }
    case "external":
      return `${lockWords(reason.change)}; ${externalWords(reason.use)}${aloneWords(reason)}`;
    case "new-package":
      return "new package";
    case "lockfile":
      return lockWords(reason.change);
    case "dependency":
      return `depends on ${printable(reason.on)} (${reason.edge}: ${printable(reason.evidence)})${testWords(reason)}`;
    case "removed-dependency":
      return `depended on ${printable(reason.on)}, which was removed (${printable(reason.evidence)})${testWords(reason)}`;
    case "global-file":
      return `everything: ${printable(reason.path)} changed (${printable(reason.role)})`;
    case "unowned-file":
      return `everything: ${printable(reason.path)} changed; no package owns it, and no file is known to use it`;
    case "root-manifest":
      return `everything: "${printable(reason.field)}" in the root's package.json changed`;
    case "root-dependencies":
      return `everything: the root's dependencies changed${reason.change ? ` (${lockWords(reason.change)})` : ""}`;
    case "unknown":
      return `everything: the changes are not fully known: ${printable(reason.detail)}`;
  }
}

/** Returns the users of a path. @param chain the references that lead to it, the farthest first */
function usedWords(chain: readonly Referrer[]): string {
  return chain
    .toReversed()
    .map(({ file, line, specifier, suffix }) => {
      const written =
        suffix === undefined ? specifier : `${specifier}*${suffix}`;
      return `, used by ${printable(file)}:${line} (${printable(written)})`;
    })
    .join("");
}

/** Returns the addition for dependencies that only tests or documentation use. */
export function testWords({ testOnly }: { testOnly?: true }): string {
  return testOnly
    ? "; only tests or documentation use it, so dependents are not affected"
    : "";
}

/** Returns the addition for units whose result dependents don't use. */
function aloneWords({ testOnly }: { testOnly?: true }): string {
  return testOnly ? "; dependents are not affected" : "";
}

function externalWords(use: ExternalUse): string {
  switch (use.kind) {
    case "named":
      return `${printable(use.referrer.file)}:${use.referrer.line} names it without declaring it`;
    case "peer":
      return "the manifest lists it as a peer";
    case "possiblePeer":
      return "a dependency may need it as a peer, which Yarn 1's lockfile doesn't show";
    case "program":
      return `the script ${printable(use.script)} runs ${printable(use.program)}, which is one of its programs, or may run or load it`;
    case "types":
      return `the script ${printable(use.script)} runs ${printable(use.program)}, which loads the root's types`;
  }
}

function lockWords({ before, after, file }: LockChange): string {
  const says = `${file ?? "yarn.lock"}: `;
  if (before.length === 0) return `${says}${printable(after)} is new`;
  return before.includes(after)
    ? `${says}${printable(after)} changed`
    : `${says}${before.map(printable).join(", ")} -> ${printable(after)}`;
}

const NO_EFFECT: Readonly<Record<NoEffect, string>> = {
  documentation: "documentation that no file uses",
  "settings-ignore": "skein.json declares that it affects nothing",
  "not-an-input": "skein.json excludes it from the inputs of this script",
  "outside-project": "outside the project, and no package uses it",
  unread: "not in a package; no file names it, and no program looks it up",
  "compared-by-meaning": "compared by its meaning, not by its text",
  "derived-from-lockfile":
    "generated from yarn.lock, which shows what it changes",
  "package-removed": "its package was removed; its dependents are affected",
};

/** Renders why a changed file affects nothing. */
export function noEffectWords(why: NoEffect): string {
  return NO_EFFECT[why];
}

/** Renders the ends of the comparison in one line. */
export function changesetWords({
  base,
  head,
  source,
  changes,
}: Changeset): string {
  const count = `${changes.length} changed ${changes.length === 1 ? "file" : "files"}`;
  const ends = [base, head].map((end) =>
    end ? `${printable(end.name)} (${end.commit.slice(0, 10)})` : undefined,
  );
  const working =
    source.kind === "git" && source.includesWorkingTree
      ? " and the working tree"
      : "";
  if (source.kind === "list")
    return `${count} listed by ${printable(source.from)}`;
  const range = ends[0] && ends[1] ? `${ends[0]}..${ends[1]}${working}` : "";
  switch (source.kind) {
    case "git":
      return `${count} in ${range || "nothing to compare"}`;
    case "github-event":
    case "ci-event":
      return `${count} of the ${printable(source.event)} event, ${range} (through ${source.via})`;
    case "pull-request":
      return `${count} of ${printable(source.repository)}#${source.number}, ${range} (through ${source.via})`;
  }
}

/** Renders why everything is selected. */
export function unknownWords({ detail }: Unknown): string {
  return `everything is selected: ${printable(detail)}`;
}
