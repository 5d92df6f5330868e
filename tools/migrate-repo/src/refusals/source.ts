import { count, some } from "@skein/reporting";
import type { MigrationRequest } from "../migration.js";
import {
  quote,
  type ProblemOf,
  type Texts,
  type WordsByCode,
} from "../words/problem-words.js";
import type { Announcement, LocalSourceFacts } from "../survey/announcement.js";
import type { TargetFacts } from "../survey/target.js";

const branchHint = (branches: readonly string[]) =>
  branches.length === 0
    ? "it has no branches"
    : `its branches: ${some(branches)}; choose one with --ref`;

/** The words of each refusal. */
export const SOURCE = {
  "source-is-option": ({ given }: { given: string }) => ({
    sentence: `${quote(given)} begins with a dash, so git would read it as an option`,
    hint: "give a git URL, a folder (./-name for one that begins with a dash), or owner/name",
  }),
  "source-control-characters": () => ({
    sentence: "the source's address has control characters",
    hint: "give a git URL, a folder, or owner/name",
  }),
  "source-query": () => ({
    sentence: "the source's address has a part after ? or #",
    hint: "remove it; a token goes before the host: https://TOKEN@example.com/owner/name.git",
  }),
  "source-transport": ({ transport }: { transport: string }) => ({
    sentence: `the transport ${quote(transport)} is not allowed: only https, ssh, file and git are`,
    hint: "use an https:// or ssh:// address, or clone it yourself and give the folder",
  }),
  "source-unclear": ({ given }: { given: string }) => ({
    sentence: `${quote(given)} is not a folder, a git URL or owner/name`,
    hint: "check the spelling; folders are relative to the current folder",
  }),
  "source-is-target": () => ({
    sentence: "the source is the workspace itself",
    hint: "run this in the workspace, and name the other repository",
  }),
  "empty-source": () => ({
    sentence: "the source is empty: it has no branch and no tag",
    hint: "check the address; there is nothing to migrate",
  }),
  "no-default-branch": ({ branches }: { branches: readonly string[] }) => ({
    sentence:
      "the source has no main branch (its HEAD is detached, or its branch has no commit)",
    hint: branchHint(branches),
  }),
  "no-such-branch": ({
    branch,
    branches,
  }: {
    branch: string;
    branches: readonly string[];
  }) => ({
    sentence: `the source has no branch ${quote(branch)}`,
    hint: branchHint(branches),
  }),
  "object-format": ({ source, target }: Texts<"source" | "target">) => ({
    sentence: `the source uses ${source} for object ids, and the workspace ${target}; git cannot combine the two`,
    hint: "convert one of them first (git fast-export | git fast-import into a repository made with --object-format)",
  }),
  "shallow-source": () => ({
    sentence: "the source is a shallow clone: its older history is missing",
    hint: "name the repository it was cloned from, or complete it there: git fetch --unshallow",
  }),
  "partial-source": () => ({
    sentence: "the source is a partial clone: some of its files are missing",
    hint: "name the repository it was cloned from, or complete it there: git fetch --refetch --no-filter",
  }),
  "too-many-refs": ({ count: refs }: { count: number }) => ({
    sentence: `the source has ${count(refs, "ref")}, which is too many`,
    hint: "clone what you need of it (git clone --single-branch --no-tags), and migrate the clone",
  }),
} satisfies WordsByCode;

/** Refusals of a source, by its address and its announced refs. */
export type SourceRefusal = ProblemOf<typeof SOURCE>;

/** The most refs of a source. No real source has more, but a hostile one can announce millions. */
const MOST_REFS = 100_000;

/** Returns the refusals that follow from the announced refs, before the fetch. */
export function refuseAnnouncement(
  request: MigrationRequest,
  announcement: Announcement,
  local: LocalSourceFacts | undefined,
  target: Pick<TargetFacts, "commonDir" | "objectFormat">,
): readonly SourceRefusal[] {
  if (local?.gitDir !== undefined && local.gitDir === target.commonDir)
    return [{ code: "source-is-target" }];
  const count = announcement.branches.length + announcement.tags.length;
  if (count === 0) return [{ code: "empty-source" }];
  if (count > MOST_REFS) return [{ code: "too-many-refs", count }];
  if (announcement.objectFormat !== target.objectFormat)
    return [
      {
        code: "object-format",
        source: announcement.objectFormat,
        target: target.objectFormat,
      },
    ];
  if (local?.shallow === true) return [{ code: "shallow-source" }];
  if (local?.partial === true) return [{ code: "partial-source" }];
  const branches = announcement.branches.map(({ name }) => name);
  if (request.ref === undefined)
    return announcement.defaultBranch === undefined
      ? [{ code: "no-default-branch", branches }]
      : [];
  return branches.includes(request.ref)
    ? []
    : [{ code: "no-such-branch", branch: request.ref, branches }];
}
