import type { Files } from "@skein/testing";
import type { Member, Site } from "../site.js";
import { namesOf, type Tool } from "./tool.js";

/**
 * moon. It reads package.json through a plugin that it downloads from a host that a closed network may not reach, so
 * its own files declare the same dependencies.
 */
export const moon: Tool = {
  name: "moon",
  install: ["@moonrepo/cli@2.5.5"],
  links: ["@moonrepo"],
  settings,
  questions: [
    {
      label: "moon",
      argv: [
        "node_modules/.bin/moon",
        "query",
        "affected",
        "--downstream",
        "deep",
      ],
      env: { MOON_BASE: "main", MOON_HEAD: "HEAD" },
      answer: names,
    },
  ],
};

function settings(members: readonly Member[]): Files {
  const ids = new Map(members.map(({ name, dir }) => [name, idOf(dir)]));
  const files: Record<string, string> = {
    ".moon/workspace.yml":
      'projects:\n  - "packages/*"\n  - "apps/*"\nvcs:\n  defaultBranch: main\n',
  };
  for (const { dir, dependencies } of members) {
    const list = dependencies.map((name) => `  - ${ids.get(name) ?? name}\n`);
    files[`${dir}/moon.yml`] =
      list.length === 0 ? "{}\n" : `dependsOn:\n${list.join("")}`;
  }
  return files;
}

/** Returns moon's id of a project, which is its folder's name. */
function idOf(dir: string): string {
  return dir.slice(dir.lastIndexOf("/") + 1);
}

function names(stdout: string, site: Site): string[] {
  const { projects } = JSON.parse(stdout) as { projects: object };
  const dirs = new Map(site.members.map(({ dir }) => [idOf(dir), dir]));
  return namesOf(
    Object.keys(projects).map((id) => dirs.get(id) ?? id),
    site,
  );
}
