import type { Change } from "@skein/changes";
import { memoryFiles, textOf } from "../../memory-files.test.support.js";
import type { MemoryFiles } from "../../memory-files.test.support.js";
import { readProject } from "../../read-project.js";
import { defaultSettings } from "../../settings/settings.js";
import { decideAffected } from "../affected.js";
import { filesOf } from "./toy-files.test.support.js";
import { referencesOf } from "./toy-references.test.support.js";
import type { Toy } from "./toy.test.support.js";

/** Reads two toys as `affected` does, and decides which packages the changes between them affect. */
export async function decideToys(
  base: Toy,
  head: Toy,
  script: string | undefined,
) {
  const [was, is] = [filesOf(base), filesOf(head)];
  const changes = changesBetween(was, is);
  const touchedManifests = changes
    .map(({ path }) => path)
    .filter((path) => path.endsWith("/package.json"));
  const options = { touchedManifests, complete: false };
  const headProject = await readProject(memoryFiles(is), options);
  const baseProject = await readProject(memoryFiles(was), {
    ...options,
    sibling: headProject,
  });
  if (!headProject) throw new Error("there is a package.json");
  const { packages, everything } = decideAffected({
    base: baseProject,
    head: headProject,
    changes,
    unknown: [],
    settings: defaultSettings.affected,
    script,
    references: referencesOf(head, base),
  });
  return { was, is, changes, packages, everything };
}

/** Compares two trees file by file. */
function changesBetween(
  base: MemoryFiles,
  head: MemoryFiles,
): readonly Change[] {
  return [...new Set([...Object.keys(base), ...Object.keys(head)])].flatMap(
    (path): Change[] => {
      const [was, is] = [base, head].map((files) =>
        path in files ? textOf(files, path) : undefined,
      );
      if (was === is) return [];
      const kind =
        was === undefined ? "added" : is === undefined ? "deleted" : "modified";
      return [{ path, kind, origin: "committed" }];
    },
  );
}
