import { some } from "@skein/reporting";
import { posix } from "node:path";
import { addTo } from "@skein/reporting/group-by";
import {
  followUp,
  stepOf,
  warning,
  type StepContext,
  type StepNote,
} from "../../step.js";
import type { TreeView } from "../../../tree/draft.js";
import { openGitRules } from "./git-rules.js";
import { packageFiles } from "../manifest/package-files.js";

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
  const tracked = new Set(files.map(({ path }) => path));
  const atHome = (path: string) => pathAtHome(context.placements, path);
  const all = await ignoreFiles(view);
  const own = [...all].flatMap(([path, bytes]) =>
    tracked.has(path) ? [[atHome(path), bytes] as const] : [],
  );
  const { scratch, env } = context;
  await using home = await openGitRules(
    scratch,
    "home",
    new Map([...(await ignoreFilesAbove(context)), ...own]),
    env,
  );
  await using here = await openGitRules(scratch, "here", all, env);
  const ignoredAtHome = await home.ignored(paths.map(atHome));
  const was = new Set(paths.filter((path) => ignoredAtHome.has(atHome(path))));
  const is = await here.ignored(paths);
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

/** Returns the contents of all .gitignore files of a tree, by path. */
async function ignoreFiles(view: TreeView): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  for (const file of await view.list("")) {
    if (posix.basename(file.path) !== ".gitignore" || file.mode === "120000")
      continue;
    const bytes = await view.content(file);
    if (bytes) found.set(file.path, bytes);
  }
  return found;
}

/** Returns the .gitignore files of the source in folders above the package. With --only, they aren't migrated. */
async function ignoreFilesAbove({
  placements,
  source,
}: StepContext): Promise<Map<string, Buffer>> {
  const above = new Map<string, Buffer>();
  for (const { from } of placements)
    for (let dir = from; dir !== "" && dir !== ".";) {
      dir = posix.dirname(dir);
      const path = posix.join(dir, ".gitignore");
      const bytes = await source.read(path);
      if (bytes) above.set(path, bytes);
    }
  return above;
}

/** Returns the path in the source of a file that was migrated. */
function pathAtHome(
  placements: StepContext["placements"],
  path: string,
): string {
  const placement = placements.find(({ to }) => path.startsWith(`${to}/`));
  return placement
    ? posix.join(placement.from, path.slice(placement.to.length + 1))
    : path;
}
