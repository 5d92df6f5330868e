import { shellWord } from "@skein/git";
import {
  count,
  formatBytes,
  formatDuration,
  printable,
  some,
} from "@skein/reporting";
import { present, shortRef } from "../words/problem-words.js";
import type { AddOutcome } from "./add-repository.js";
import type { Built } from "./build.js";
import { distinct, type LfsPointer } from "../lfs/pointers.js";
import type { StepPlan } from "../migration.js";
import type { Plan } from "../plan/plan.js";
import { explainWarning, type Warning } from "../plan/warnings.js";
import type { PackedApart } from "../receipt/proof.js";
import { renderOpenPulls } from "../pulls/render-pulls.js";

/** Renders a plan for people. */
export function renderPlan(plan: Plan, steps: readonly StepPlan[]): string {
  const to = plan.placements.map(({ from, to: place }) =>
    from === "" ? place : `${from} -> ${place}`,
  );
  const lines = [
    `Migrate ${printable(plan.source.shown)} (${printable(plan.branch)} at ${plan.tip.slice(0, 12)})`,
    `  package      ${plan.name}`,
    `  into         ${to.map(printable).join(", ")}`,
    `  on           ${plan.target.branch.replace(/^refs\/heads\//, "")} at ${plan.target.head.slice(0, 12)}`,
    `  history      ${plan.request.history}: ${count(plan.commits, "commit")}, ${count(plan.files, "file")}`,
    `  tags         ${plan.tags.length === 0 ? "none" : `${plan.tags.length}: ${some(plan.tags.map(({ from, to: name }) => `${shortRef(from)} -> ${shortRef(name)}`))}`}`,
    plan.branches.length > 0 &&
      `  branches     ${some(plan.branches.map(({ from, to: name }) => `${shortRef(from)} -> ${shortRef(name)}`))}`,
    plan.lfs.length > 0 && `  lfs          ${sayLfs(plan.lfs)}`,
    plan.pulls &&
      renderOpenPulls(
        plan.pulls,
        plan.placements[0]?.to ?? "",
        plan.request.transplant,
      ).trimEnd(),
    steps.length > 0 && "  then",
    ...steps.flatMap(renderStep),
    ...plan.warnings.flatMap(renderWarning),
  ];
  return `${present(lines).join("\n")}\n`;
}

function renderStep({ id, what, why }: StepPlan): readonly string[] {
  return [
    ...what.map((line) => `    ${printable(line)}`),
    `      because ${printable(why)} (--skip ${id})`,
  ];
}

function renderWarning(warning: Warning): readonly string[] {
  const { sentence, hint } = explainWarning(warning);
  return [`warning: ${sentence}`, `hint: ${hint}`];
}

/** Renders the report: the work that was done, and the work that is left. */
export function renderReport({
  plan,
  built,
  lfs,
  took,
}: Extract<AddOutcome, { kind: "landed" }>): string {
  const { figures } = built;
  const notes = [...built.cleanUp, ...built.registration].flatMap((step) =>
    step.notes.map(({ kind, text }) => `  ${kind}: ${printable(text)}`),
  );
  const lines = [
    `Migrated ${plan.name} in ${formatDuration(took)}: ${count(figures.commits, "commit")} by ${count(figures.authors, "author")}, ${count(figures.merges, "merge")}, ${count(built.tags.length, "tag")}.`,
    `  proved       ${count(built.treesCompared, "commit")} with exactly the files of their originals`,
    ...Object.entries(built.packed).map(
      ([dir, lists]) =>
        `  packed       ${sayPacked(dir, lists, built.removed)}`,
    ),
    ...built.commits.map(({ id, title }) => `  ${id.slice(0, 12)} ${title}`),
    built.branches.length > 0 &&
      `  branches     ${some(built.branches.map(({ to }) => shortRef(to)))}`,
    figures.pruned > 0 &&
      `  dropped      ${count(figures.pruned, "commit")} that don't touch the chosen paths`,
    figures.signatures > 0 &&
      `  signatures   ${figures.signatures} lost in the rewrite; the originals are stored under refs/migrate/`,
    figures.mended > 0 &&
      `  repaired     ${count(figures.mended, "author line")} that git no longer accepts`,
    figures.qualified > 0 &&
      `  references   qualified in ${count(figures.qualified, "message")} (${plan.request.qualifyRefs ?? ""}#1)`,
    built.leftTags.length > 0 &&
      `  tags skipped ${some(built.leftTags.map(({ from }) => shortRef(from)))}: none of their commits were migrated`,
    lfs &&
      `  lfs          ${count(lfs.count, "object")} (${formatBytes(lfs.size)}) of Git LFS fetched; the files are pointers until: git lfs install && git lfs checkout ${plan.placements.map(({ to }) => to).join(" ")}`,
    lfs &&
      "               if no git-lfs hook runs, push them with: git lfs push --all origin",
    ...notes,
    `Nothing is pushed. To push: ${pushCommand(built)}; the record: git push origin 'refs/migrate/*'`,
    `To go back: migrate-repo undo ${plan.name}`,
  ];
  return `${present(lines).join("\n")}\n`;
}

/**
 * Returns a push command with all new tags and branches: `--follow-tags` would skip lightweight tags, and tags on other
 * branches.
 */
function pushCommand({ tags, branches }: Built): string {
  const made = [
    tags.map(({ plan: { to } }) => to),
    branches.map(({ to }) => to),
  ];
  const patterns = made.filter((refs) => refs.length > 0).map(patternOf);
  return [
    "git push",
    ...(patterns.length > 0 ? ["origin HEAD"] : []),
    ...patterns.map(shellWord),
  ].join(" ");
}

/** Returns a pattern that matches all of these refs: `refs/tags/lib@*`. */
function patternOf(refs: readonly string[]): string {
  let [common = ""] = refs;
  for (const ref of refs)
    while (!ref.startsWith(common)) common = common.slice(0, -1);
  return `${common.replace(/[^/@]*$/, "")}*`;
}

/** Compares the files that npm packs here with those that it packs in the source. */
function sayPacked(
  dir: string,
  { home, here }: PackedApart,
  removed: readonly string[],
): string {
  const isRemoved = (path: string) => removed.includes(`${dir}/${path}`);
  const lost = home.filter((path) => !isRemoved(path));
  const removedOnes = home.length - lost.length;
  const found = [
    lost.length + here.length === 0 && "as in the source",
    removedOnes > 0 &&
      `without ${count(removedOnes, "file")} that the clean-up removed`,
    lost.length > 0 && `MISSING ${some(lost)}`,
    here.length > 0 && `new: ${some(here)}`,
  ];
  return `${dir}: ${present(found).join(", ")}`;
}

function sayLfs(pointers: readonly LfsPointer[]): string {
  const objects = distinct(pointers);
  const size = objects.reduce((sum, one) => sum + one.size, 0);
  return `${count(objects.length, "object")}, ${formatBytes(size)}: fetched by git-lfs`;
}
