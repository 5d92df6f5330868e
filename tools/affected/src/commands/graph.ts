import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { ExitCode, usageFailure } from "@skein/reporting";
import type { UnitPlan } from "@skein/runner";
import { tagReader } from "@skein/workspaces";
import { cacheDirOf } from "../cache-dir.js";
import type { Command } from "../command.js";
import { renderGraph } from "../graph/formats.js";
import type { GraphEdge, GraphView } from "../graph/graph-view.js";
import { taskView } from "../graph/task-view.js";
import { openFile } from "../files/open-file.js";
import { readOwners } from "../project/owners.js";
import { assertScript, planOf } from "../scripts/plan.js";
import { reasonWords } from "../render/words.js";
import { select, type Selection } from "../select.js";
import { survey, type SurveyWorld, type Survey } from "../survey.js";
import { wholeGraph } from "../project/whole-graph.js";
import { writeText } from "@skein/reporting/write-text";

/** Runs `affected graph`, which writes the whole graph with its affected packages to stdout or into a file. */
export async function graph(
  world: SurveyWorld,
  {
    options,
    format,
    output,
    affectedOnly,
    open,
    tasks,
  }: Extract<Command, { kind: "graph" }>,
): Promise<number> {
  if (format === "html" && !open && output === undefined && world.stdout.isTTY)
    throw usageFailure("a page cannot be shown in a terminal", {
      hint: "open it: affected graph --open; or write it: -o graph.html",
    });
  const facts = await survey(world, {
    options,
    complete: true,
    wholeGraph: true,
    ...(tasks !== undefined && { script: tasks }),
  });
  const selection = await select(world, facts, options.filter, tasks);
  const narrowed = affectedOnly || options.filter.length > 0;
  const shown = new Set(
    narrowed
      ? selection.packages.map(({ name }) => name)
      : facts.head.graph.workspaces.keys(),
  );
  const packages = viewOf(facts, selection, shown, await readOwners(facts));
  const view =
    tasks === undefined
      ? packages
      : taskView(packages, planOfTasks(facts, selection, tasks), tasks);
  const text = await renderGraph(format, view);
  const file =
    output ??
    (open ? join(await placeOf(world, facts), "graph.html") : undefined);
  if (file === undefined) world.stdout.write(text);
  else {
    const written = await writeText(world.cwd, file, text);
    world.stderr.write(`wrote ${written}\n`);
    if (open) await openFile(world.env, written);
  }
  return ExitCode.Ok;
}

/** Returns the folder for a page without `--output`. In a clone, the next such page replaces it. */
async function placeOf(
  { env }: SurveyWorld,
  { repository }: Survey,
): Promise<string> {
  return repository
    ? cacheDirOf(env, repository)
    : mkdtemp(join(tmpdir(), "skein-graph-"));
}

function planOfTasks(
  facts: Survey,
  selection: Selection,
  script: string,
): UnitPlan {
  assertScript(facts, script);
  return planOf(facts, selection, { script, args: [], includeRoot: false });
}

function viewOf(
  facts: Survey,
  { decision }: Selection,
  shown: ReadonlySet<string>,
  ownersOf: (name: string) => readonly string[],
): GraphView {
  const { root, changeset, head, settings } = facts;
  const { base, head: end, source } = changeset;
  const working =
    source.kind === "git" && source.includesWorkingTree
      ? " with the working tree"
      : "";
  const tagsOf = tagReader(settings.tags);
  return {
    title: head.graph.root || basename(root ?? "."),
    ...(base && { base: `${base.name} (${base.commit.slice(0, 10)})` }),
    ...(end && {
      head: `${end.name} (${end.commit.slice(0, 10)})${working}`,
    }),
    nodes: [...head.graph.workspaces.values()]
      .filter(({ name }) => shown.has(name))
      .map(({ name, dir }) => {
        const reasons = decision.packages.get(name)?.reasons ?? [];
        return {
          name,
          dir,
          affected: decision.packages.has(name),
          ...(reasons.some(({ kind }) => kind === "file") && { changed: true }),
          reasons: reasons.map(reasonWords),
          tags: tagsOf(name),
          owners: ownersOf(name),
        };
      }),
    edges: edgesOf(facts, shown),
  };
}

/** Returns the edges between these packages. Edges that lead through several external packages are merged into one. */
function edgesOf(facts: Survey, shown: ReadonlySet<string>): GraphEdge[] {
  const edges = new Map<string, GraphEdge>();
  for (const { from, to, kind, testOnly } of wholeGraph(facts).edges) {
    if (!shown.has(from) || !shown.has(to)) continue;
    const key = [from, to, kind, testOnly].join("\0");
    edges.set(key, { from, to, kind, ...(testOnly && { testOnly }) });
  }
  return [...edges.values()];
}
