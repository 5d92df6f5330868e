import { repositoryFile } from "../packed.js";
import { pages } from "../pages.js";

/** The address of our workflows for other repositories, with the release in it. */
export const PUBLISHED = "skein-tools/skein@v0.1.0";

/** A workflow that a page shows for its readers to copy. */
export interface ShownWorkflow {
  readonly page: string;
  /** The name of its file, if the page mentions it. */
  readonly name: string;
  readonly text: string;
}

/** Every workflow of every page: fenced YAML with jobs. */
export const shownWorkflows: readonly ShownWorkflow[] = pages.flatMap((page) =>
  [
    ...repositoryFile(page).matchAll(
      /^```ya?ml(?: ([\w.-]+))?\n([\s\S]*?)^```$/gm,
    ),
  ]
    .filter(([, , text = ""]) => /^jobs:/m.test(text))
    .map(([, name = "", text = ""]) => ({ page, name, text })),
);

/** Returns a workflow of docs/adopt.md by its file's name. @throws if the page doesn't show it */
export function adoptedWorkflow(name: string): string {
  const shown = shownWorkflows.find(
    (each) => each.page === "docs/adopt.md" && each.name === name,
  );
  if (!shown) throw new Error(`docs/adopt.md shows no ${name}`);
  return shown.text;
}
