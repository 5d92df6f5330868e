import { repositoryFile } from "../packed.js";
import { pages } from "../pages.js";

/** Where other repositories find our workflows, and the release they name. */
export const PUBLISHED = "skein-tools/skein@v0.1.0";

/** A workflow that a page tells its reader to write. */
export interface ShownWorkflow {
  readonly page: string;
  /** Of its file, where the page says one. */
  readonly name: string;
  readonly text: string;
}

/** Every workflow of every page: what is fenced as YAML and has jobs. */
export const shownWorkflows: readonly ShownWorkflow[] = pages.flatMap((page) =>
  [
    ...repositoryFile(page).matchAll(
      /^```ya?ml(?: ([\w.-]+))?\n([\s\S]*?)^```$/gm,
    ),
  ]
    .filter(([, , text = ""]) => /^jobs:/m.test(text))
    .map(([, name = "", text = ""]) => ({ page, name, text })),
);

/** A workflow that docs/adopt.md tells to write, by its file's name. @throws where the page shows none */
export function adoptedWorkflow(name: string): string {
  const shown = shownWorkflows.find(
    (each) => each.page === "docs/adopt.md" && each.name === name,
  );
  if (!shown) throw new Error(`docs/adopt.md shows no ${name}`);
  return shown.text;
}
