import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import {
  compareWindows,
  parseKeptReport,
  parseStageTable,
  seededRandom,
  sidesOfEvents,
  sidesOfReport,
  StageTableError,
  stageTableOf,
} from "@skein/delivery-metrics";
import type { Change, StageTable, WindowSides } from "@skein/delivery-metrics";
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
import { readEvents } from "./read-events.js";
import { renderModel } from "./render/render-model.js";
import { renderChanges } from "./render/render-report.js";
import { SEED } from "./measure.js";

/** One side: windows have P90s of everything, a stage table of its stages alone. */
type Side =
  | {
      readonly kind: "window";
      readonly sides: WindowSides;
      /** Not all of its files could be read. */
      readonly broken: boolean;
    }
  | { readonly kind: "table"; readonly table: StageTable };

/** `ci-dispatch metrics compare`. */
export async function compare(
  world: DispatchWorld,
  { measuring, before, after, stages, json }: CompareAction,
): Promise<number> {
  const { stdout } = world;
  const first = await readSide(world, measuring, before);
  const others: Side[] = [];
  for (const each of after) others.push(await readSide(world, measuring, each));
  const exitCode = [first, ...others].some(
    (side) => side.kind === "window" && side.broken,
  )
    ? ExitCode.Unfinished
    : ExitCode.Ok;
  const width = stdout.isTTY ? stdout.columns : undefined;
  if (stages) {
    stdout.write(
      renderModel(
        tableOf(first, before),
        others.map((side, index) => tableOf(side, after[index] ?? "")),
        json,
      ),
    );
    return exitCode;
  }
  const changes = others.map((side, index): readonly Change[] => {
    if (first.kind === "table" || side.kind === "table")
      throw usageFailure(
        `${first.kind === "table" ? before : (after[index] ?? "")} is a stage table, and stage P90s do not add up to a lead time`,
        { hint: "--stages sums them all the same, as LinkedIn's model" },
      );
    return compareWindows(first.sides, side.sides, seededRandom(SEED));
  });
  stdout.write(
    json
      ? `${JSON.stringify({ version: 1, before, comparisons: changes.map((list, index) => ({ after: after[index], changes: list })) }, null, 2)}\n`
      : inertLog(
          changes
            .map(
              (list, index) =>
                `${before} -> ${after[index] ?? ""}\n${renderChanges(list, width)}`,
            )
            .join("\n"),
        ),
  );
  return exitCode;
}

/** What a word on the command line names. */
async function readSide(
  world: DispatchWorld,
  measuring: Measuring,
  word: string,
): Promise<Side> {
  if (parseAsOf(word) !== undefined)
    return windowOf(world, { ...measuring, asOf: word });
  const [, named = word, date] = /^(.+)@([^@/]+)$/.exec(word) ?? [];
  const isDate = date !== undefined && parseAsOf(date) !== undefined;
  const path = isDate ? named : word;
  const found = await stat(resolve(world.cwd, path)).catch(() => undefined);
  if (found?.isDirectory())
    return windowOf(world, {
      ...measuring,
      from: { kind: "folder", path },
      ...(isDate && { asOf: date }),
    });
  if (!found)
    throw usageFailure(
      `${word} is no date, and there is no such file or folder`,
      {
        hint: "name a day, a folder of events, a report's JSON, or a stage table",
      },
    );
  return readFileSide(world.cwd, path);
}

async function windowOf(
  world: DispatchWorld,
  measuring: Measuring,
): Promise<Side> {
  const { events, unread } = await readEvents(world, measuring.from);
  return {
    kind: "window",
    sides: sidesOfEvents(events, reportOptions(world, measuring)),
    broken: unread.files.length > 0,
  };
}

async function readFileSide(cwd: string, file: string): Promise<Side> {
  const wire = parseJson(await readRegularText(resolve(cwd, file)));
  const kept = parseKeptReport(wire);
  if (kept)
    return { kind: "window", sides: sidesOfReport(kept), broken: false };
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

function tableOf(side: Side, word: string): StageTable {
  if (side.kind === "table") return side.table;
  const table = stageTableOf(side.sides);
  if (!table)
    throw usageFailure(`${word} has too few pull requests for stage P90s`, {
      hint: "take a longer --window, or a smaller --min",
    });
  return table;
}
