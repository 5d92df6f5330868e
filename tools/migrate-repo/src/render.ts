import { count, formatDuration, printable } from "@skein/reporting";
import type { Built } from "./build.js";
import type { StepPlan } from "./migration.js";
import type { Plan, Refusal, Warning } from "./plan.js";
import { explainRefusal, explainWarning } from "./problems.js";
import { renderOpenPulls } from "./pulls/render-pulls.js";

/** A plan as people read it. */
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
    `  tags         ${plan.tags.length === 0 ? "none" : `${plan.tags.length}: ${listSome(plan.tags.map(({ from, to: name }) => `${short(from)} -> ${short(name)}`))}`}`,
    ...(plan.branches.length === 0
      ? []
      : [
          `  branches     ${listSome(plan.branches.map(({ from, to: name }) => `${short(from)} -> ${short(name)}`))}`,
        ]),
    ...(plan.pulls === undefined
      ? []
      : [
          renderOpenPulls(
            plan.pulls,
            plan.placements[0]?.to ?? "",
            plan.request.transplant,
          ).trimEnd(),
        ]),
    ...(steps.length === 0
      ? []
      : ["  then", ...steps.flatMap((step) => renderStep(step))]),
    ...plan.warnings.flatMap(renderWarning),
  ];
  return `${lines.join("\n")}\n`;
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

/** Why there is no plan. */
export function renderRefusals(refusals: readonly Refusal[]): string {
  return refusals
    .map((refusal) => {
      const { sentence, hint } = explainRefusal(refusal);
      return `migrate-repo: ${sentence}\nhint: ${hint}\n`;
    })
    .join("");
}

/** What was done, and what is left to do. */
export function renderReport(plan: Plan, built: Built, ms: number): string {
  const { figures } = built;
  const notes = [...built.cleanUp, ...built.registration].flatMap((step) =>
    step.notes.map(({ kind, text }) => `  ${kind}: ${printable(text)}`),
  );
  const lines = [
    `Migrated ${plan.name} in ${formatDuration(ms)}: ${count(figures.commits, "commit")} by ${count(figures.authors, "author")}, ${count(figures.merges, "merge")}, ${count(built.tags.length, "tag")}.`,
    `  proved       ${count(built.treesCompared, "commit")} with the very files of their originals`,
    ...built.commits.map(({ id, title }) => `  ${id.slice(0, 12)} ${title}`),
    ...(figures.pruned > 0
      ? [
          `  left out     ${count(figures.pruned, "commit")} that touch nothing of the chosen paths`,
        ]
      : []),
    ...(figures.signatures > 0
      ? [
          `  signatures   ${figures.signatures} could not survive the rewrite; the originals are kept under refs/migrate/`,
        ]
      : []),
    ...(figures.mended > 0
      ? [
          `  mended       ${count(figures.mended, "author line")} that git no longer accepts`,
        ]
      : []),
    ...(figures.qualified > 0
      ? [
          `  references   qualified in ${count(figures.qualified, "message")} (${plan.request.qualifyRefs ?? ""}#1)`,
        ]
      : []),
    ...(built.leftTags.length > 0
      ? [
          `  tags left    ${listSome(built.leftTags.map(({ from }) => short(from)))}: nothing of their commits came along`,
        ]
      : []),
    ...notes,
    `Nothing is pushed. To push: git push --follow-tags; the record: git push origin 'refs/migrate/*'`,
    `To go back: git reset --keep ${plan.target.head.slice(0, 12)}`,
  ];
  return `${lines.join("\n")}\n`;
}

function short(ref: string): string {
  return printable(ref.replace(/^refs\/(?:heads|tags)\//, ""));
}

const SHOWN = 5;

function listSome(texts: readonly string[]): string {
  const rest = texts.length - SHOWN;
  const shown = texts.slice(0, SHOWN).join(", ");
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}
