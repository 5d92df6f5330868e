import { repositoryFile } from "../packed.js";

/** Where other repositories find our workflows, and the release they name. */
export const PUBLISHED = "skein-tools/skein@v0.1.0";

/** A workflow that docs/adopt.md tells to write, by its file's name. @throws where the page shows none */
export function adoptedWorkflow(name: string): string {
  const blocks = repositoryFile("docs/adopt.md").matchAll(
    /^```yaml ([\w.-]+)\n([\s\S]*?)^```$/gm,
  );
  for (const [, title, text] of blocks)
    if (title === name && text !== undefined) return text;
  throw new Error(`docs/adopt.md shows no ${name}`);
}
