import type {
  BranchPlan,
  MigrationRequest,
  Placement,
  SourceAddress,
  SourceRef,
  TagPlan,
} from "./migration.js";
import {
  branchRef,
  faultOfDestination,
  isPackageName,
  migrationRefs,
} from "./names.js";
import type { Plan, Refusal, Warning } from "./plan.js";
import { refRefusals } from "./ref-conflicts.js";
import { decideTagNames } from "./tag-names.js";
import { lfsRemote } from "./source-address.js";
import type { DestinationFacts } from "./survey/destination.js";
import type { HistoryFacts } from "./survey/history.js";
import type { TargetFacts } from "./survey/target.js";
import type { TipFacts } from "./survey/tip.js";
import type { Announcement, LocalSourceFacts } from "./survey/announcement.js";

/** GitHub refuses a push with a file of this many bytes or more (docs.github.com, "About large files on GitHub"). */
export const PUSH_LIMIT = 100 * 1024 * 1024;

/** More refs than any source that somebody wants to keep; a hostile one can announce millions. */
const MOST_REFS = 100_000;

/** What can be refused before the source is asked anything. */
export function refuseTarget(
  target: TargetFacts,
  request: Pick<MigrationRequest, "allow">,
  pendingMigration: string | undefined,
): readonly Refusal[] {
  const refusals: Refusal[] = [];
  if (pendingMigration !== undefined)
    return [{ code: "migration-in-progress", name: pendingMigration }];
  if (target.topLevel === undefined) return [{ code: "bare-target" }];
  if (target.head === undefined) return [{ code: "unborn-branch" }];
  if (target.operation !== undefined)
    refusals.push({
      code: "operation-in-progress",
      operation: target.operation,
    });
  if (target.branch === undefined) refusals.push({ code: "detached-head" });
  if (target.changed.length > 0)
    refusals.push({ code: "dirty", paths: target.changed });
  if (target.shallow) refusals.push({ code: "shallow-target" });
  if (target.sparse) refusals.push({ code: "sparse-target" });
  if (!target.identity) refusals.push({ code: "no-identity" });
  const branch = target.branch?.replace(/^refs\/heads\//, "");
  if (
    branch !== undefined &&
    target.protectedBranches.includes(branch) &&
    !request.allow.includes("protected-branch")
  )
    refusals.push({ code: "protected-branch", branch });
  return refusals;
}

/** What can be refused from the words of the request alone. */
export function refuseRequest(
  request: MigrationRequest,
  stepIds: readonly string[],
): readonly Refusal[] {
  const refusals: Refusal[] = request.skip
    .filter((id) => !stepIds.includes(id))
    .map((id) => ({ code: "unknown-step", id }));
  if (request.name !== undefined && !isPackageName(request.name))
    refusals.push({ code: "bad-name", name: request.name });
  if (request.to !== undefined)
    refusals.push(...badDestination(request.to.replace(/\/+$/, "")));
  const without = !request.register
    ? "--no-register"
    : !request.install
      ? "--no-install"
      : undefined;
  if (request.run.length > 0 && without !== undefined)
    refusals.push({ code: "run-needs-install", option: without });
  if (request.transplant && request.history !== "graft")
    refusals.push({
      code: "transplant-needs-graft",
      history: request.history,
    });
  for (const only of request.only) {
    const [from = "", to] = only.split(/=(.*)/s);
    const fault = faultOfDestination(from.replace(/^\.\/|\/+$/g, ""));
    if (fault) refusals.push({ code: "bad-only", path: from, fault });
    if (to !== undefined) refusals.push(...badDestination(to));
  }
  return refusals;
}

function badDestination(path: string): readonly Refusal[] {
  const fault = faultOfDestination(path);
  return fault ? [{ code: "bad-destination", path, fault }] : [];
}

/** What can be refused once the source has said what it has, before anything is fetched. */
export function refuseAnnouncement(
  request: MigrationRequest,
  said: Announcement,
  local: LocalSourceFacts | undefined,
  target: Pick<TargetFacts, "commonDir" | "objectFormat">,
): readonly Refusal[] {
  if (local?.gitDir !== undefined && local.gitDir === target.commonDir)
    return [{ code: "source-is-target" }];
  const count = said.branches.length + said.tags.length;
  if (count === 0) return [{ code: "empty-source" }];
  if (count > MOST_REFS) return [{ code: "too-many-refs", count }];
  if (said.objectFormat !== target.objectFormat)
    return [
      {
        code: "object-format",
        source: said.objectFormat,
        target: target.objectFormat,
      },
    ];
  if (local?.shallow === true) return [{ code: "shallow-source" }];
  if (local?.partial === true) return [{ code: "partial-source" }];
  const branches = said.branches.map(({ name }) => name);
  if (request.ref === undefined)
    return said.defaultBranch === undefined
      ? [{ code: "no-default-branch", branches }]
      : [];
  return branches.includes(request.ref)
    ? []
    : [{ code: "no-such-branch", branch: request.ref, branches }];
}

/** Everything that is known before the plan is made. */
export interface Facts {
  readonly request: MigrationRequest;
  readonly address: SourceAddress;
  readonly target: TargetFacts;
  readonly announcement: Announcement;
  readonly name: string;
  readonly branch: string;
  readonly tip: string;
  readonly placements: readonly Placement[];
  readonly destinations: readonly DestinationFacts[];
  readonly tipFacts: TipFacts;
  readonly history: HistoryFacts;
  /** Whether git-lfs is there; asked only where the history has use for it. */
  readonly gitLfs: boolean;
  /** How many come along. */
  readonly commits: number;
  /** Messages that would close issues of the target, were they pushed. */
  readonly closing: number;
  /** Branches with commits that do not come along. */
  readonly staying: readonly string[];
  /** Tags that come along. */
  readonly tags: readonly SourceRef[];
  /** Branches that come along beside the chosen one. */
  readonly branches: readonly SourceRef[];
  /** Tags that are not reachable from what comes along. */
  readonly otherTags: number;
}

/** Decides. The same facts give the same plan; a refusal names its reason and its way out. */
export function makePlan(
  facts: Facts,
):
  | { readonly kind: "plan"; readonly plan: Plan }
  | { readonly kind: "refused"; readonly refusals: readonly Refusal[] } {
  const tags = planTags(facts);
  const branches = planBranches(facts);
  const refusals = [
    ...refusePlacements(facts),
    ...refuseContent(facts),
    ...refRefusals(
      [
        ...tags.map(({ from, to }) => ({ from, to })),
        ...branches.map(({ from, to }) => ({ from, to })),
      ],
      facts.target.refs,
    ),
  ];
  if (refusals.length > 0) return { kind: "refused", refusals };
  return {
    kind: "plan",
    plan: {
      request: facts.request,
      name: facts.name,
      names: namesOf(facts),
      nested: nestedPackages(facts),
      source: facts.address,
      branch: facts.branch,
      tip: facts.tip,
      commits: facts.commits,
      files: facts.tipFacts.files,
      placements: facts.placements,
      target: {
        branch: facts.target.branch ?? "",
        head: facts.target.head ?? "",
      },
      tags,
      branches,
      lfs: facts.request.allow.includes("lfs") ? [] : facts.history.lfs,
      pulls: undefined,
      warnings: warn(facts, facts.tags.length - tags.length),
    },
  };
}

/** Of the packages that come, the migration's own first. */
function namesOf({ name, placements, tipFacts }: Facts): readonly string[] {
  const others = tipFacts.manifests.flatMap((manifest) =>
    manifest.name !== undefined &&
    placements.some(({ to }) => to === manifest.dir)
      ? [manifest.name]
      : [],
  );
  return [...new Set([name, ...others])];
}

function planTags(facts: Facts): readonly TagPlan[] {
  const { tags, request, placements } = facts;
  const { chosen, nameOf } = decideTagNames(
    tags.map((tag) => tag.name),
    request.tagFormat,
    namesOf(facts),
    placements.some(({ from }) => from !== ""),
  );
  return tags
    .filter((tag) => chosen.has(tag.name))
    .map(({ name: from, id, peeled }) => ({
      from: `refs/tags/${from}`,
      to: `refs/tags/${nameOf(from)}`,
      id,
      commit: peeled ?? id,
      annotated: peeled !== undefined,
    }));
}

function planBranches({ branches, placements }: Facts): readonly BranchPlan[] {
  return branches.map(({ name, id }) => ({
    from: `refs/heads/${name}`,
    to: branchRef(placements, name),
    id,
  }));
}

function refusePlacements(facts: Facts): readonly Refusal[] {
  const { name, target, placements, destinations, tipFacts } = facts;
  const refusals: Refusal[] = [];
  if (!isPackageName(name)) refusals.push({ code: "bad-name", name });
  if (target.refs.has(`${migrationRefs(name)}/map`))
    return [{ code: "already-migrated", name }];
  placements.forEach(({ to: one }, index) => {
    refusals.push(...badDestination(one));
    for (const { to: other } of placements.slice(index + 1)) {
      const [a, b] = [`${one}/`.toLowerCase(), `${other}/`.toLowerCase()];
      if (a.startsWith(b) || b.startsWith(a))
        refusals.push({ code: "destinations-overlap", one, other });
    }
  });
  for (const { path, state } of destinations) {
    if (state.kind === "tracked")
      refusals.push({ code: "destination-tracked", path });
    else if (state.kind === "untracked")
      refusals.push({
        code: "destination-untracked",
        path,
        ignored: state.ignored,
      });
    else if (state.kind === "case")
      refusals.push({ code: "destination-case", path, twin: state.twin });
    else if (state.kind !== "free")
      refusals.push({ code: `destination-${state.kind}`, path, at: state.at });
    const around = target.packages?.find(
      ({ dir }) => dir !== "." && path.startsWith(`${dir}/`),
    );
    if (around)
      refusals.push({ code: "destination-in-package", path, ...around });
  }
  const newNames = new Set([
    name,
    ...tipFacts.manifests.flatMap((manifest) =>
      manifest.name === undefined ||
      placements.some(({ to }) => to === manifest.dir)
        ? []
        : [manifest.name],
    ),
    ...placements.slice(1).flatMap(({ to }) => {
      const found = tipFacts.manifests.find(({ dir }) => dir === to)?.name;
      return found === undefined ? [] : [found];
    }),
  ]);
  for (const { name: used, dir } of target.packages ?? [])
    if (newNames.has(used))
      refusals.push({ code: "name-used", name: used, dir });
  return refusals;
}

function refuseContent(facts: Facts): readonly Refusal[] {
  const { request, tipFacts, history, placements, address } = facts;
  const allowed = (permission: (typeof request.allow)[number]) =>
    request.allow.includes(permission);
  const refusals: Refusal[] = tipFacts.missing.map((path) => ({
    code: "nothing-there",
    path,
  }));
  const main = placements[0]?.to ?? "";
  if (
    refusals.length === 0 &&
    !allowed("non-package") &&
    !tipFacts.manifests.some(({ dir }) => dir === main)
  )
    refusals.push({ code: "no-package-json", dir: placements[0]?.from ?? "" });
  if (tipFacts.submodules.length > 0 && !allowed("submodules"))
    refusals.push({ code: "submodules", paths: tipFacts.submodules });
  if (history.lfs.length > 0 && !allowed("lfs") && !facts.gitLfs)
    refusals.push({
      code: "lfs",
      pointers: history.lfs,
      from: lfsRemote(address),
    });
  if (history.secrets.length > 0 && !allowed("secrets"))
    refusals.push({ code: "secrets", found: history.secrets });
  const [largest] = history.large;
  if (largest && largest.size > request.maxFileSize)
    refusals.push({
      code: "large-file",
      file: largest,
      limit: request.maxFileSize,
    });
  return refusals;
}

/** @param left tags on what comes along that stay behind all the same: other packages' */
function warn(facts: Facts, left: number): readonly Warning[] {
  const { tipFacts, history, target, staying, closing } = facts;
  const nested = nestedPackages(facts);
  const pushed = history.large.filter(({ size }) => size >= PUSH_LIMIT);
  const warnings: (Warning | false)[] = [
    history.secrets.length > 0 && {
      code: "secrets-allowed",
      found: history.secrets,
    },
    history.lfs.length > 0 &&
      facts.request.allow.includes("lfs") && {
        code: "lfs-allowed",
        pointers: history.lfs,
        from: lfsRemote(facts.address),
      },
    pushed.length > 0 && { code: "pushed-size", files: pushed },
    ...tipFacts.caseTwins.map((names) => ({
      code: "case-twins" as const,
      names,
    })),
    tipFacts.escapingLinks.length > 0 && {
      code: "escaping-links",
      links: tipFacts.escapingLinks,
    },
    tipFacts.longPaths.length > 0 && {
      code: "long-paths",
      paths: tipFacts.longPaths,
    },
    tipFacts.submodules.length > 0 && {
      code: "submodules-kept",
      paths: tipFacts.submodules,
    },
    ...facts.destinations.flatMap(({ path, ignoredBy: rule }) =>
      rule === undefined
        ? []
        : [{ code: "ignored-destination" as const, path, rule }],
    ),
    closing > 0 && {
      code: "closing-references",
      count: closing,
      slug: facts.address.slug,
    },
    staying.length > 0 && { code: "other-branches", branches: staying },
    facts.otherTags > 0 && { code: "other-tags", count: facts.otherTags },
    left > 0 && { code: "tags-of-others", count: left },
    target.packages === undefined && { code: "no-workspace" },
    target.hooks.length > 0 && { code: "hooks-not-run", hooks: target.hooks },
    nested.length > 0 && { code: "nested-packages", names: nested },
  ];
  return warnings.filter((warning) => warning !== false);
}

function nestedPackages({ tipFacts, placements }: Facts): readonly string[] {
  return tipFacts.manifests
    .filter(({ dir }) => !placements.some(({ to }) => to === dir))
    .flatMap(({ name }) => (name === undefined ? [] : [name]));
}
