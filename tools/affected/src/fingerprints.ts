import { hashTree, openFinisher } from "@skein/fingerprint";
import type {
  Surroundings,
  TreeFacts,
  UnitFingerprint,
  UnitRequest,
} from "@skein/fingerprint";
import { treeFacts } from "@skein/workspaces";
import type { SelectOptions } from "./command.js";
import { treeFiles } from "./fingerprints/tree-files.js";
import { readRuntime } from "./fingerprints/runtime.js";
import { assertLocal, survey } from "./survey.js";
import type { LocalSurvey, Survey } from "./survey.js";
import type { AffectedWorld } from "./world.js";

/**
 * Opens the fingerprints of one script for what lies in the working tree now, whatever `facts` compares: that is what a
 * script reads when it runs.
 * @returns a function from the name of a package to its fingerprint; undefined where something that it hangs on is unknown
 */
export async function openFingerprints(
  world: AffectedWorld,
  facts: Survey,
  request: UnitRequest,
): Promise<(packageName: string) => UnitFingerprint | undefined> {
  assertLocal(facts);
  // What git was asked at the start is not what lies here now.
  const now = await surveyTree({ ...world, begun: undefined }, undefined);
  return fingerprintsOf(world, now, request);
}

/** Reads all of one tree: of a commit, or of the working tree. */
export async function surveyTree(
  world: AffectedWorld,
  head: string | undefined,
): Promise<LocalSurvey> {
  const options: SelectOptions = {
    ...{ base: undefined, since: head ?? "HEAD", head },
    ...{ committed: head !== undefined, pr: undefined, filesFrom: undefined },
    ...{ deepen: "never", fallback: "all", filter: [], sourceEdges: true },
  };
  const facts = await survey(world, {
    options,
    // Between two trees the changed manifests overrule yarn.lock; of one tree, nobody knows which these are.
    complete: true,
    wholeTree: true,
  });
  assertLocal(facts);
  return facts;
}

/** Returns all facts of a surveyed tree; undefined where a source can't be read, so that it may use anything. */
export async function factsOfTree(
  facts: LocalSurvey,
  script: string | undefined,
): Promise<TreeFacts | undefined> {
  const { head, references, settings } = facts;
  if (!references || references.unreadable > 0) return undefined;
  return treeFacts({
    project: head,
    files: await treeFiles(facts, references.variables()),
    settings: settings.affected,
    pipeline: settings.pipeline,
    script,
    references,
  });
}

/** Computes the fingerprints of a surveyed tree. */
export async function fingerprintsOf(
  world: Pick<AffectedWorld, "env" | "node">,
  facts: LocalSurvey,
  request: UnitRequest,
): Promise<(packageName: string) => UnitFingerprint | undefined> {
  const [tree, surroundings] = await Promise.all([
    factsOfTree(facts, request.script),
    surroundingsOf(world, facts),
  ]);
  if (!tree) return () => undefined;
  const hashed = hashTree(tree);
  const finish = openFinisher(request, surroundings);
  return (name) => {
    const known = hashed.get(name);
    return known && finish(name, known);
  };
}

/** Reads what is around a tree. */
export async function surroundingsOf(
  { env, node }: Pick<AffectedWorld, "env" | "node">,
  { root, settings }: LocalSurvey,
): Promise<Surroundings> {
  const runtime = await readRuntime({ env, node }, root);
  return { runtime, env, names: settings.cache.env };
}
