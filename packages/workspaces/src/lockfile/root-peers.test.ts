import { expect, test } from "@jest/globals";
import type { LockState } from "../project.js";
import { parseLockfile } from "./parse.js";
import { openResolver } from "./resolver.js";
import { withPeersOfRoot } from "./root-peers.js";

const entry = (descriptor: string, resolution: string, lists = "") =>
  `\n"${descriptor}":\n  version: 1.0.0\n  resolution: "${resolution}"\n${lists}  languageName: node\n  linkType: hard\n`;
const list = (field: string, ...idents: readonly string[]) =>
  `  ${field}:\n${idents.map((ident) => `    "${ident}": "*"\n`).join("")}`;
const npm = (ident: string, lists?: string) =>
  entry(`${ident}@npm:*`, `${ident}@npm:1.0.0`, lists);
const workspace = (name: string, dir: string, lists?: string) =>
  entry(`${name}@workspace:${dir}`, `${name}@workspace:${dir}`, lists);

const context = { resolutions: [], catalogs: new Map() };
function stateOf(...texts: readonly string[]): LockState {
  const text = `__metadata:\n  version: 8\n${texts.join("")}`;
  const lockfile = parseLockfile(text);
  const resolver = openResolver(lockfile, context);
  return { ...context, lockfile, text, resolver, yarnSettingsRest: "" };
}

const ROOT = ["typescript", "jest", "@types/node"].map((ident) => ({
  ident,
  range: "npm:*",
  field: "devDependencies" as const,
}));

/** Returns the dependencies of the external packages, with the packages to which they resolve. */
function dependenciesIn({ lockfile, resolver }: LockState): readonly string[] {
  return lockfile.entries.flatMap(({ resolution, dependencies }) =>
    resolution.includes("workspace:")
      ? []
      : dependencies.map((each) => {
          const targets = resolver.entriesFor(resolution, each);
          return `${resolution} -> ${targets.map((to) => to.resolution).join()}`;
        }),
  );
}

test.each<[what: string, texts: readonly string[], found: readonly string[]]>([
  [
    "peers that the root provides, but not types",
    [
      npm(
        "ts-jest",
        list("peerDependencies", "typescript", "@types/node", "react"),
      ),
      npm("typescript"),
      workspace("b", "b", list("dependencies", "ts-jest")),
    ],
    ["ts-jest@npm:1.0.0 -> typescript@npm:1.0.0"],
  ],
  [
    "an optional peer without a range",
    [
      npm(
        "tsup",
        "  peerDependenciesMeta:\n    typescript:\n      optional: true\n",
      ),
      npm("typescript"),
      workspace("b", "b", list("dependencies", "tsup")),
    ],
    ["tsup@npm:1.0.0 -> typescript@npm:1.0.0"],
  ],
  [
    "a peer that every dependent provides",
    [
      npm("plugin", list("peerDependencies", "typescript")),
      npm("tool", list("dependencies", "plugin", "typescript")),
      workspace("a", "a", list("dependencies", "plugin", "typescript")),
      npm("typescript"),
    ],
    [
      "tool@npm:1.0.0 -> plugin@npm:1.0.0",
      "tool@npm:1.0.0 -> typescript@npm:1.0.0",
    ],
  ],
  [
    "a peer that one of two workspaces provides",
    [
      npm("plugin", list("peerDependencies", "typescript")),
      workspace("a", "a", list("dependencies", "plugin", "typescript")),
      workspace("b", "b", list("dependencies", "plugin")),
      npm("typescript"),
    ],
    ["plugin@npm:1.0.0 -> typescript@npm:1.0.0"],
  ],
  [
    "a peer of a peer",
    [
      npm("plugin", list("peerDependencies", "typescript")),
      npm(
        "tool",
        list("dependencies", "plugin") + list("peerDependencies", "typescript"),
      ),
      workspace("b", "b", list("dependencies", "tool")),
      npm("typescript"),
    ],
    [
      "tool@npm:1.0.0 -> plugin@npm:1.0.0",
      "tool@npm:1.0.0 -> typescript@npm:1.0.0",
    ],
  ],
  [
    "a package that the root uses, too",
    [
      npm("plugin", list("peerDependencies", "typescript")),
      workspace("root", ".", list("dependencies", "plugin", "typescript")),
      workspace("a", "a", list("dependencies", "plugin", "typescript")),
      npm("typescript"),
    ],
    ["plugin@npm:1.0.0 -> typescript@npm:1.0.0"],
  ],
])("%s", (_what, texts, found) => {
  expect(dependenciesIn(withPeersOfRoot(stateOf(...texts), ROOT))).toEqual(
    found,
  );
});

test("a lockfile without such peers stays the same object", () => {
  const state = stateOf(
    npm("a", list("peerDependencies", "react")),
    npm("react"),
  );
  expect(withPeersOfRoot(state, ROOT)).toBe(state);
});

test("equal entries stay the same object in two lockfiles", () => {
  const state = stateOf(
    npm("ts-jest", list("peerDependencies", "typescript")),
    npm("typescript"),
    workspace("b", "b", list("dependencies", "ts-jest")),
  );
  const [one, other] = [state, { ...state }].map(
    (each) => withPeersOfRoot(each, ROOT).lockfile.entries,
  );
  expect(one?.[0]).toBe(other?.[0]);
  expect(one?.[0]?.dependencies).toEqual([["typescript", "npm:*"]]);
});
