import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { Change } from "@skein/changes";
import { ciOf } from "@skein/ci";
import {
  count,
  ExitCode,
  Failure,
  printable,
  renderFailure,
} from "@skein/reporting";
import type { Command } from "../command.js";
import { fileClock } from "../files/file-clock.js";
import { assertScript, planOf } from "../scripts/plan.js";
import { select, type Selection } from "../select.js";
import { openRunCache } from "../cache/run-cache.js";
import { asItIs, assertLocal, survey, type LocalSurvey } from "../survey.js";
import { openAgenda, type Agenda } from "../watch/agenda.js";
import { watchSaves, type Saves } from "../watch/saves.js";
import { surveySaved } from "../watch/survey-saved.js";
import type { AffectedWorld } from "../world.js";
import { runPlan } from "./run.js";

type WatchCommand = Extract<Command, { kind: "run" | "watch" }>;

/** The affected packages, and the survey that they result from. */
interface Answer {
  readonly facts: LocalSurvey;
  readonly selection: Selection;
}

/** The state of a watch. It changes while files are saved. */
interface Session {
  readonly agenda: Agenda;
  latest: Answer;
  /** The survey of the working tree since HEAD, updated after each save; undefined if it must be read again. */
  tree: LocalSurvey | undefined;
  /** Stops the current run. */
  stop: AbortController;
  /** Called when a package may be due, or when watching ends. */
  wake: () => void;
}

/**
 * Runs `affected watch <script>`: the affected packages first, then those that each saved file affects.
 * @returns 0 after Ctrl-C
 */
export async function watch(
  world: AffectedWorld,
  command: WatchCommand,
): Promise<number> {
  const { signal, stderr } = world;
  const latest = await ask(world, command);
  assertScript(latest.facts, command.run.script);
  const saves = watchSaves(latest.facts.root, latest.facts.repository);
  const session: Session = {
    agenda: openAgenda(),
    latest,
    tree: undefined,
    stop: new AbortController(),
    wake: () => undefined,
  };
  session.agenda.affected(namesOf(latest));
  const end = () => {
    session.wake();
    void saves.close();
  };
  signal.addEventListener("abort", end, { once: true });
  try {
    await saves.ready;
    // This survey since HEAD is ready before the first save. Files that are saved in the meantime are handled afterwards.
    session.tree = await surveySince(world, command).catch(() => undefined);
    const over = new AbortController();
    const following = follow(world, command, session, saves).finally(() => {
      over.abort();
      session.stop.abort();
      session.wake();
    });
    following.catch(() => undefined); // The error is thrown below.
    while (!signal.aborted && !over.signal.aborted) {
      const due = session.agenda.take();
      if (due.size > 0) await runDue(world, command, session, due);
      else {
        stderr.write("waiting for changes; press Ctrl-C to stop\n");
        await new Promise<void>((resolve) => (session.wake = resolve));
      }
    }
    await saves.close();
    await following;
  } finally {
    signal.removeEventListener("abort", end);
    await saves.close();
  }
  return ExitCode.Ok;
}

/** Determines which packages each group of saved files affects, until watching ends. */
async function follow(
  world: AffectedWorld,
  command: WatchCommand,
  session: Session,
  saves: Saves,
): Promise<void> {
  // If an attempt fails, for example because a manifest is half written, its files are added to the next group.
  let unanswered: readonly string[] = [];
  for (;;) {
    const saved = await saves.next();
    if (saved.length === 0) return;
    const paths = [...new Set([...unanswered, ...saved])];
    try {
      session.latest = await askSaved(world, command, session, paths);
    } catch (error) {
      if (world.signal.aborted) return;
      if (!(error instanceof Failure)) throw error;
      unanswered = paths;
      world.stderr.write(renderFailure("affected", error));
      continue;
    }
    unanswered = [];
    const names = namesOf(session.latest);
    world.stderr.write(
      `saved ${printable(paths[0] ?? "")}${paths.length > 1 ? ` and ${count(paths.length - 1, "more file")}` : ""}: ${count(names.length, "package")} affected\n`,
    );
    if (session.agenda.affected(names)) session.stop.abort();
    session.wake();
  }
}

/** Runs the packages that are due, until they finish or become outdated. */
async function runDue(
  world: AffectedWorld,
  { run: asked }: WatchCommand,
  session: Session,
  due: ReadonlySet<string>,
): Promise<void> {
  const { agenda, latest } = session;
  const { facts, selection } = latest;
  if (world.stdout.isTTY === true && !ciOf(world.env).isCi)
    world.stdout.write(CLEAR);
  session.stop = new AbortController();
  const graph = facts.head.graph.workspaces;
  const packages = [...due].flatMap((name) => {
    const known = graph.get(name);
    return known ? [{ name, dir: known.dir, reasons: [] }] : [];
  });
  const plan = planOf(facts, { ...selection, packages }, asked);
  const signal = AbortSignal.any([world.signal, session.stop.signal]);
  const cache =
    asked.cache === "off"
      ? undefined
      : await openRunCache({ ...world, early: undefined }, facts, {
          ...{ plan, begin: fileClock() },
          mode: asked.cache,
        });
  const report = await runPlan(
    { ...world, signal },
    facts,
    plan,
    { ...asked, memory: cache?.memory },
    (event) => agenda.seen(event),
  );
  await cache?.finish(report.interrupted);
  agenda.ended();
}

/** Determines which packages are affected by the changes that the command line compares. */
async function ask(
  world: AffectedWorld,
  { options, run: { script } }: WatchCommand,
): Promise<Answer> {
  const facts = await survey(world, { options, complete: true, script });
  assertLocal(facts);
  const selection = await select(world, facts, options.filter, script);
  return { facts, selection };
}

/** Determines which packages the saved files affect. @param saved paths relative to the project's folder */
async function askSaved(
  world: AffectedWorld,
  command: WatchCommand,
  session: Session,
  saved: readonly string[],
): Promise<Answer> {
  const { script } = command.run;
  const { tree } = session;
  session.tree = undefined;
  const facts =
    (tree && (await surveySaved(world, tree, saved, script))) ??
    (await surveySince(world, command));
  session.tree = facts;
  const asked = { ...facts, changes: changesOf(facts, saved) };
  const { filter } = command.options;
  return { facts, selection: await select(world, asked, filter, script) };
}

/** Surveys the working tree with all differences from HEAD. */
async function surveySince(
  world: AffectedWorld,
  { options, run: { script } }: WatchCommand,
): Promise<LocalSurvey> {
  const facts = await survey(
    { ...world, early: undefined },
    {
      options: { ...asItIs(options), fallback: options.fallback },
      complete: true,
      script,
      wholeGraph: true,
    },
  );
  assertLocal(facts);
  return facts;
}

/** Returns the files as changes. A file with its content of HEAD counts too, because it differs from the last run. */
function changesOf(
  { root, changes }: LocalSurvey,
  saved: readonly string[],
): readonly Change[] {
  const known = new Map(changes.map((change) => [change.path, change]));
  return saved.map((path): Change => {
    const exists = lstatSync(join(root, path), { throwIfNoEntry: false });
    return (
      known.get(path) ?? {
        path,
        kind: exists ? "modified" : "deleted",
        origin: "listed",
      }
    );
  });
}

/** Clears the screen and its scrollback. */
const CLEAR = "\u001b[2J\u001b[3J\u001b[H";
function namesOf({ selection }: Answer): readonly string[] {
  return selection.packages.map(({ name }) => name);
}
