import { posix } from "node:path";
import { shellWord } from "@skein/git";
import { globMatches } from "@skein/versions";
import {
  followUp,
  stepOf,
  warning,
  type StepContext,
  type StepNote,
} from "../../step.js";
import type { TreeView } from "../../../tree/draft.js";
import { findCompanions, type Companions } from "./companions.js";
import { contentOf, packageFiles } from "../manifest/package-files.js";

/** Settings files in which tools have paths. */
const SETTINGS =
  /(?:^|\/)(?:(?:jest|babel|vite|vitest|rollup|webpack|typedoc|eslint|prettier|tsup|ava|nyc)\.config\.[cm]?[jt]s|package\.json|[^/]*[tj]sconfig[^/]*\.json|\.?jest[^/]*\.json|\.eslintrc(?:\.json)?|\.babelrc(?:\.json)?|babel\.config\.json|\.prettierrc(?:\.json)?|\.mocharc\.jsonc?|\.swcrc|typedoc\.json|api-extractor\.json)$/;

/** Reports paths in settings that lead out of the package: in the source, they had another meaning or none. */
export const outsidePaths = stepOf({
  id: "outside-paths",
  why: "nothing was above the package in the source; here, the workspace is above it",
  find,
  what: (notes) => notes.map(({ text }) => text),
  apply: (_, notes) => notes,
});

async function find(
  view: TreeView,
  context: StepContext,
): Promise<readonly StepNote[]> {
  const notes: StepNote[] = [];
  const settings = (await packageFiles(view, context)).filter(
    ({ inside }) => SETTINGS.test(inside) && !inside.includes("node_modules/"),
  );
  for (const file of settings) {
    const { path, inside, to } = file;
    const text = await contentOf(view, file);
    for (const [index, line] of text.split("\n").entries()) {
      for (const [, quoted = ""] of line.matchAll(
        /["'](\.\.(?:\/[^"']*)?)["']/g,
      )) {
        // A script's arguments aren't part of the path.
        const reference = inside.endsWith("package.json")
          ? (quoted.split(" ")[0] ?? "")
          : quoted;
        const meant = posix.join(posix.dirname(path), reference);
        if (meant === to || meant.startsWith(`${to}/`)) continue;
        const place = `${path}:${index + 1}`;
        const from =
          context.placements.find((one) => one.to === to)?.from ?? "";
        notes.push(
          (await leftBehind(view, context.source, {
            place,
            reference,
            meant,
            home: posix.join(from, posix.dirname(inside), reference),
          })) ??
            warning(
              `${place} names ${reference}, outside of the package: here that is ${await whatIs(view, meant)}.`,
            ),
        );
      }
      if (inside.endsWith("package.json")) continue;
      for (const [, reference = ""] of line.matchAll(
        /"((?:\.\.?\/)*node_modules\/[^"]*)"/g,
      ))
        notes.push(
          warning(
            `${path}:${index + 1} names ${reference}: Yarn installs most packages into the root's node_modules, or nowhere (PnP); use the package's name instead.`,
          ),
        );
    }
  }
  return [
    ...notes,
    ...bringAlong(context, await findCompanions(view, context, settings)),
  ];
}

/** Returns one list of `--only` values, instead of many files to copy. */
function bringAlong(
  { placements }: StepContext,
  { paths, packages }: Companions,
): readonly StepNote[] {
  if (paths.length === 0) return [];
  const only = [
    ...placements.map(({ from, to }) => ({ home: from, to })),
    ...paths,
  ].map(({ home, to }) => shellWord(`${home}=${to}`));
  const more =
    packages.length === 0
      ? ""
      : ` Add what they import to the root: yarn add --dev ${packages.map(shellWord).join(" ")}`;
  return [
    followUp(
      `To migrate these files too, with their history, use: --only ${only.join(" ")}.${more}`,
    ),
  ];
}

/** Suffixes that Node and tools add to the path of a module (nodejs.org/api/modules.html, "File modules"). */
const SUFFIXES = [
  "",
  ...[".js", ".cjs", ".mjs", ".ts", ".cts", ".mts", ".json"],
  ...["/index.js", "/index.ts"],
];

/**
 * Returns a note if settings name a file of the source that wasn't migrated because of `--only`, and nothing has its
 * place here.
 */
async function leftBehind(
  view: TreeView,
  source: TreeView,
  {
    place,
    reference,
    meant,
    home,
  }: {
    readonly place: string;
    readonly reference: string;
    readonly meant: string;
    readonly home: string;
  },
): Promise<StepNote | undefined> {
  if ([meant, home].some((one) => /^\.\.(?:\/|$)/.test(one))) return undefined;
  for (const suffix of SUFFIXES)
    if (await view.stat(`${meant}${suffix}`)) return undefined;
  if ((await view.list(meant)).length > 0) return undefined;
  for (const suffix of SUFFIXES) {
    if (!(await source.stat(`${home}${suffix}`))) continue;
    return followUp(
      `${place} names ${reference}, and ${home}${suffix} of the source was not migrated, so everything that needs it fails. Copy it to ${meant}${suffix}, with the files that it refers to, or change that line.`,
    );
  }
  return (await source.list(home)).length === 0
    ? undefined
    : followUp(
        `${place} names ${reference}, and the folder ${home} of the source was not migrated, so everything that needs it fails. Copy the files that you need to ${meant}, or change that line.`,
      );
}

async function whatIs(view: TreeView, path: string): Promise<string> {
  if (path.startsWith("../")) return "outside of the repository";
  for (const suffix of SUFFIXES)
    if (await view.stat(path + suffix))
      return `the workspace's ${path}${suffix}`;
  if (path.includes("*")) {
    const folder = posix.dirname(path.slice(0, path.indexOf("*") + 1));
    const files = await view.list(folder === "." ? "" : folder);
    if (files.some((file) => globMatches(`${path}*`, file.path)))
      return `the workspace's ${path}`;
  }
  const below = path === "." ? "" : path;
  return (await view.list(below)).length > 0
    ? `the workspace's folder ${path}`
    : `${path}, which does not exist`;
}
