import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import {
  compareWindows,
  parseKeptReport,
  parseStageTable,
  seededRandom,
  sidesOfReport,
  StageTableError,
  stageTableOf,
} from "@skein/delivery-metrics";
import type { StageTable, Until, WindowSides } from "@skein/delivery-metrics";
import {
  ExitCode,
  inertLog,
  readRegularText,
  usageFailure,
} from "@skein/reporting";
import type { DispatchWorld } from "../world.js";
import type { CompareAction, Measuring } from "./action.js";
import { parseAsOf } from "./as-of.js";
import { reportOptions } from "./options.js";
import { parseJson } from "./read-kept-report.js";
import { openEvents } from "./read-events.js";
import { renderModel } from "./render/render-model.js";
import { renderChanges } from "./render/render-report.js";
import { UNTIL_WORDS, windowWords } from "./render/words.js";
import { SEED, sideOfEvents } from "./measure.js";
import { alignSides, type WindowSide } from "./sides.js";

/** One side: a window, which has all P90s, or a stage table, which has only those of stages. */
type Side =
  | {
      readonly kind: "window";
      readonly side: WindowSide;
      /** Whether some of its files are unreadable. */
      readonly broken: boolean;
    }
  | { readonly kind: "table"; readonly table: StageTable };

/** Runs `ci-dispatch metrics compare`. */
export async function compare(
  world: DispatchWorld,
  { measuring, before, after, stages, json }: CompareAction,
): Promise<number> {
  const { stdout } = world;
  const { until } = await reportOptions(world, {
    ...measuring,
    asOf: undefined,
  });
  const words = [before, ...after];
  const read: Side[] = [];
  for (const word of words) read.push(await readSide(world, measuring, word));
  const sides = await aligned(read, until);
  const exitCode = read.some((side) => side.kind === "window" && side.broken)
    ? ExitCode.Unfinished
    : ExitCode.Ok;
  const width = stdout.isTTY ? stdout.columns : undefined;
  if (stages) {
    const [first, ...others] = sides.map((side, index) =>
      tableOf(side, words[index] ?? ""),
    );
    if (first) stdout.write(renderModel(first, others, json));
    return exitCode;
  }
  const [first, ...others] = sides.map((side, index): WindowSides => {
    if ("until" in side) return side;
    throw usageFailure(
      `${words[index] ?? ""} is a stage table, and stage P90s do not add up to a lead time`,
      { hint: "--stages sums them anyway, as LinkedIn's model does" },
    );
  });
  if (!first) return exitCode;
  const comparisons = others.map((other, index) => ({
    after: after[index] ?? "",
    sides: { before: spanOf(first), after: spanOf(other) },
    changes: compareWindows(first, other, seededRandom(SEED)),
  }));
  stdout.write(
    json
      ? `${JSON.stringify({ version: 1, before, comparisons }, null, 2)}\n`
      : inertLog(
          comparisons
            .map(
              ({ after: word, sides: { before: one, after: two }, changes }) =>
                `${before} -> ${word}\nbefore: ${spanWords(one)}\nafter: ${spanWords(two)}\n${renderChanges(changes, width)}`,
            )
            .join("\n"),
        ),
  );
  return exitCode;
}

/** Measures all windows to the same end. */
async function aligned(
  read: readonly Side[],
  until: Until | undefined,
): Promise<readonly (WindowSides | StageTable)[]> {
  const windows = read.flatMap((side) =>
    side.kind === "window" ? [side.side] : [],
  );
  const measured = await alignSides(windows, until);
  return read.map((side) => {
    if (side.kind === "table") return side.table;
    const sides = measured[windows.indexOf(side.side)];
    if (!sides) throw new RangeError("no such side");
    return sides;
  });
}

/** Returns the window and the end of a side. */
const spanOf = ({ window, until }: WindowSides) => ({ window, until });

const spanWords = ({ window, until }: ReturnType<typeof spanOf>) =>
  `${windowWords(window)}, ${UNTIL_WORDS[until]}`;

/** Reads the side that a word of the command line names. */
async function readSide(
  world: DispatchWorld,
  measuring: Measuring,
  word: string,
): Promise<Side> {
  if (parseAsOf(word) !== undefined)
    return windowOf(world, word, { ...measuring, asOf: word });
  const [, named = word, date] = /^(.+)@([^@/]+)$/.exec(word) ?? [];
  const isDate = date !== undefined && parseAsOf(date) !== undefined;
  const path = isDate ? named : word;
  const found = await stat(resolve(world.cwd, path)).catch(() => undefined);
  if (found?.isDirectory())
    return windowOf(world, word, {
      ...measuring,
      from: { kind: "folder", path },
      ...(isDate && { asOf: date }),
    });
  if (!found)
    throw usageFailure(
      `${word} isn't a date, and there is no such file or folder`,
      {
        hint: "name a day, a folder of events, a report's JSON, or a stage table",
      },
    );
  return readFileSide(world.cwd, path);
}

async function windowOf(
  world: DispatchWorld,
  word: string,
  measuring: Measuring,
): Promise<Side> {
  const options = await reportOptions(world, measuring);
  const events = await openEvents(world, measuring.from);
  return {
    kind: "window",
    side: await sideOfEvents(word, events, options),
    broken: events.unread.files.length > 0,
  };
}

async function readFileSide(cwd: string, file: string): Promise<Side> {
  const wire = parseJson(await readRegularText(resolve(cwd, file)));
  const kept = parseKeptReport(wire);
  if (kept)
    return {
      kind: "window",
      side: { kind: "kept", name: file, sides: sidesOfReport(kept) },
      broken: false,
    };
  try {
    return { kind: "table", table: parseStageTable(wire) };
  } catch (error) {
    if (!(error instanceof StageTableError)) throw error;
    throw usageFailure(
      `this is neither a report nor a stage table of version 1: ${error.message}`,
      { place: { file }, hint: "`metrics compare --help` shows a stage table" },
    );
  }
}

function tableOf(side: WindowSides | StageTable, word: string): StageTable {
  if ("stages" in side) return side;
  const table = stageTableOf(side);
  if (!table)
    throw usageFailure(`${word} has too few pull requests for stage P90s`, {
      hint: "take a longer --window, or a smaller --min",
    });
  return table;
}
