import { placeAll } from "../history/bring-history.js";
import type { Quarantine } from "../quarantine/quarantine.js";
import type { StepContext } from "../steps/step.js";
import type { TargetFacts } from "../survey/target.js";
import { openDraft, type Draft } from "../tree/draft.js";
import type { Plan } from "./plan.js";

/**
 * A draft of the target with the source's files in place, and the context in which steps change it. Disposal closes
 * all readers.
 */
export interface PlacedSource extends Disposable {
  readonly draft: Draft;
  readonly context: StepContext;
}

/**
 * Opens a draft of the target's commit and puts the source's files at their destinations.
 * @param run the rewritten commits, and whether Yarn links
 */
export async function placeSource(
  plan: Plan,
  target: TargetFacts,
  { git, scratch }: Pick<Quarantine, "git" | "scratch">,
  run: Pick<StepContext, "commits" | "link">,
): Promise<PlacedSource> {
  const { head } = plan.target;
  const { request, placements, name } = plan;
  const draft = await openDraft(git, head, scratch);
  const before = await openDraft(git, head, scratch);
  const source = await openDraft(git, plan.tip, scratch);
  const close = () => {
    for (const view of [draft, before, source]) view[Symbol.dispose]();
  };
  try {
    await placeAll(git, draft, placements, plan.tip);
  } catch (error) {
    close();
    throw error;
  }
  const context: StepContext = {
    ...run,
    name,
    placements,
    before,
    source,
    versions: request.versions,
    install: request.install,
    targetSlug: target.slug,
    sourceSlug: plan.source.slug,
    scratch,
    env: target.git.env,
  };
  return { draft, context, [Symbol.dispose]: close };
}
