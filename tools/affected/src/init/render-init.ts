import { createTwoFilesPatch } from "diff";
import { shellWord } from "@skein/git";
import { count, palette, printable, withoutControls } from "@skein/reporting";
import type { InitPlan } from "./look.js";

/** The progress of init. */
export type InitState = "current" | "planned" | "written";

/**
 * Returns the changes of a plan as one unified diff. Control characters in texts of the workspace have no effect in it.
 */
export function renderDiff({ files }: InitPlan, colour: boolean): string {
  const { bold, red, green, cyan } = palette(colour);
  return files
    .map(({ path, before, after }) => {
      const patch = createTwoFilesPatch(
        before === undefined ? "/dev/null" : `a/${path}`,
        `b/${path}`,
        before ?? "",
        after,
        undefined,
        undefined,
        { context: 3 },
      );
      return patch
        .split("\n")
        .filter((line) => !/^=+$/.test(line))
        .map((line) => {
          const shown = withoutControls(line.replaceAll("\t", "  "));
          if (/^(---|\+\+\+) /.test(line)) return bold(shown.trimEnd());
          if (line.startsWith("+")) return green(shown);
          if (line.startsWith("-")) return red(shown);
          return line.startsWith("@@") ? cyan(shown) : shown;
        })
        .join("\n");
    })
    .join("");
}

/** Returns the files that init leaves alone, notes for the user, and the next steps. */
export function renderWords(plan: InitPlan, state: InitState): string {
  const { files, kept, notes, check } = plan;
  return [
    ...kept.map(({ path, why }) => `not changed: ${path}: ${printable(why)}`),
    ...notes.map((note) => `note: ${printable(note)}`),
    ...(state === "current" ? ["everything is up to date"] : []),
    ...(state === "written"
      ? [
          `wrote ${count(files.length, "file")}; undo it with`,
          `  ${undoCommand(plan)}`,
          "next: yarn install, commit, push",
          ...(check === undefined
            ? []
            : [
                `then require the check \`${check}\` in the branch's rules, and no other check of this workflow`,
              ]),
        ]
      : []),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

/**
 * Returns the command that resets the working tree to the commit: the files of the plan, and yarn.lock after an
 * install.
 */
export function undoCommand({ files }: InitPlan): string {
  const paths = [...files.map(({ path }) => path), "yarn.lock"];
  return `git checkout --no-overlay HEAD -- ${paths.map((path) => shellWord(path)).join(" ")}`;
}

/** Returns the report of `--check`, with a line for each file that is out of date. */
export function renderCheck({ files, kept }: InitPlan): string {
  return [
    ...files.map(
      ({ path, before }) =>
        `${path}: ${before === undefined ? "is missing" : "is out of date"}`,
    ),
    ...kept
      .filter(({ isStale }) => isStale)
      .map(({ path, why }) => `${path}: ${printable(why)}`),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

/** Returns the plan as JSON, version 1: schemas/init.schema.json. */
export function initJson(plan: InitPlan, state: InitState): string {
  const { files, kept, check, peer, notes } = plan;
  return `${JSON.stringify(
    {
      version: 1,
      state,
      check: check ?? null,
      peer: peer ?? null,
      files: files.map(({ path, before, after, why }) => ({
        path,
        action: before === undefined ? "create" : "update",
        why,
        text: after,
      })),
      kept,
      notes,
    },
    null,
    2,
  )}\n`;
}
