import { posix } from "node:path";
import { addTo } from "@skein/reporting/group-by";
import {
  followUp,
  stepOf,
  warning,
  type StepContext,
  type StepNote,
} from "../step.js";
import type { TreeView } from "../../tree/draft.js";
import { some } from "../../words/problem-words.js";
import { openGitRules } from "./git-rules.js";
import { packageFiles } from "./package-files.js";

/** Files that tools write next to sources. Ignore rules differ mostly in these. */
const OUTPUT =
  `dist/out.js build/out.js lib/out.js out/out.js coverage/lcov.info node_modules/a/index.js .env
  .env.local npm-debug.log tsconfig.tsbuildinfo .cache/x .DS_Store .idea/x .vscode/settings.json
  package-lock.json yarn.lock`.split(/\s+/);

/**
 * Compares the ignored files before and after the migration. The package keeps its .gitignore files, and git reads
 * nested ones, so no ignored file should appear; this step checks it path by path. It also reports which of the
 * workspace's own rules now match files of the package.
 */
export const ignoreRules = stepOf({
  id: "ignore-rules",
  why: "a rule of the workspace also applies below it",
  find: compare,
  what: (notes) => notes.map(({ text }) => text),
  apply: (_, notes) => notes,
});

async function compare(
  view: TreeView,
  context: StepContext,
): Promise<readonly StepNote[]> {
  const files = await packageFiles(view, context);
  const probes = context.placements.flatMap(({ to }) =>
    OUTPUT.map((inside) => `${to}/${inside}`),
  );
  const paths = [...new Set([...files.map(({ path }) => path), ...probes])];
  const own = new Map<string, Buffer>();
  const all = new Map<string, Buffer>();
  for (const file of await view.list("")) {
    if (!/(^|\/)\.gitignore$/.test(file.path) || file.mode === "120000")
      continue;
    const bytes = await view.content(file);
    if (!bytes) continue;
    all.set(file.path, bytes);
    if (files.some(({ path }) => path === file.path)) own.set(file.path, bytes);
  }
  const { scratch, env, placements, source } = context;
  // With --only, the .gitignore files in folders above the package aren't migrated.
  const above = new Map<string, Buffer>();
  for (const { from } of placements) {
    for (let dir = from; dir !== "" && dir !== ".";) {
      dir = posix.dirname(dir);
      const path = posix.join(dir, ".gitignore");
      const bytes = await source.read(path);
      if (bytes) above.set(path, bytes);
    }
  }
  const atHome = (path: string) => {
    const placement = placements.find(({ to }) => path.startsWith(`${to}/`));
    return placement
      ? posix.join(placement.from, path.slice(placement.to.length + 1))
      : path;
  };
  const ownAtHome = [...own].map(
    ([path, bytes]) => [atHome(path), bytes] as const,
  );
  await using home = await openGitRules(
    scratch,
    "home",
    new Map([...above, ...ownAtHome]),
    env,
  );
  await using here = await openGitRules(scratch, "here", all, env);
  const ignoredAtHome = await home.ignored(paths.map(atHome));
  const was = new Set(paths.filter((path) => ignoredAtHome.has(atHome(path))));
  const is = await here.ignored(paths);
  const tracked = new Set(files.map(({ path }) => path));
  const appearing = paths.filter((path) => was.has(path) && !is.has(path));
  const byRule = new Map<string, string[]>();
  for (const [path, rule] of is) {
    if (was.has(path) || !tracked.has(path)) continue;
    addTo(byRule, rule, path);
  }
  return [
    ...(appearing.length === 0
      ? []
      : [
          followUp(
            `Ignored in the source, but not here: ${some(appearing, 3)}. Add them to a .gitignore here.`,
          ),
        ]),
    ...[...byRule].map(([rule, hit]) =>
      warning(
        `The workspace's ignore rule ${rule} matches ${some(hit, 3)}: tracked files stay, but git ignores new files next to them.`,
      ),
    ),
  ];
}
