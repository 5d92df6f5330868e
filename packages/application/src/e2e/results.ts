import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";

interface Verdict {
  readonly plan: string;
  readonly units: readonly {
    readonly id: string;
    readonly state: string;
    readonly failure: { readonly class: string } | null;
  }[];
}

/** Returns the state of each unit of a verdict, with its failure class. @param text the verdict, as JSON */
export function statesOf(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    (JSON.parse(text) as Verdict).units.map(({ id, state, failure }) => [
      id,
      failure ? `${state}: ${failure.class}` : state,
    ]),
  );
}

/** Returns the jobs that installed the workspace, sorted by name. @param artifacts the run's folder, below `folder` */
export async function jobsThatInstalled(
  folder: string,
  artifacts: string,
): Promise<readonly string[]> {
  const file = join(folder, `${artifacts}.installed`);
  const lines = await readFile(file, "utf8").catch(() => "");
  return [...new Set(lines.split("\n").filter(Boolean))].sort();
}

/** Returns the caches that a run has saved: each with the ref that saved it, and its key. */
export async function savedCaches(
  folder: string,
  artifacts: string,
): Promise<readonly string[]> {
  const caches = join(folder, `${artifacts}.caches`);
  const names = await readdir(caches, { recursive: true }).catch(() => []);
  return names.filter((name) => /-(?:index|install)-[^/]+$/.test(name)).sort();
}
