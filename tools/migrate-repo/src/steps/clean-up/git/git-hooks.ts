import { isRecord } from "@skein/reporting/is-record";
import { followUp } from "../../step.js";
import { fieldsAmong, removalStep } from "../removal.js";

const FILES =
  /^(?:\.husky\/.*|\.huskyrc(?:\..+)?|husky\.config\.[cm]?js|\.lintstagedrc(?:\..+)?|lint-staged\.config\.[cm]?[jt]s|\.pre-commit-config\.yaml|\.?lefthook(?:-local)?\.ya?ml|\.simple-git-hooks\.[cm]?js(?:on)?|\.?commitlint(?:rc)?(?:\.config)?(?:\.[cm]?[jt]s|\.json|\.ya?ml)?)$/;

const FIELDS = [
  "husky",
  "lint-staged",
  "simple-git-hooks",
  "pre-commit",
  "commitlint",
  "lefthook",
];

/** Tools that only set up hooks: nothing imports them. */
const TOOLS = ["husky", "lint-staged", "simple-git-hooks", "lefthook"];

const SETS_UP =
  /^\s*(?:husky(?:\s+install)?|lefthook install|simple-git-hooks)\s*$/;

/**
 * Removes git hooks, which belong to the repository: a package's own hooks would never run, or would replace the
 * workspace's.
 */
export const gitHooks = removalStep({
  id: "git-hooks",
  why: "git has one set of hooks for the whole repository; an install of this package's would replace the workspace's",
  files: ({ inside }) => FILES.test(inside),
  fields: (manifest) => [
    ...fieldsAmong(FIELDS, manifest),
    ...entries(manifest["scripts"])
      .filter(([, script]) => SETS_UP.test(script))
      .map(([name]) => ["scripts", name]),
    ...["dependencies", "devDependencies"].flatMap((field) =>
      entries(manifest[field])
        .filter(([name]) => TOOLS.includes(name))
        .map(([name]) => [field, name]),
    ),
  ],
  report: (files, fields) => [
    ...files.flatMap(({ path, inside, text }) => {
      const commands = commandsIn(text);
      // Husky's own helper isn't about the package.
      if (commands.length === 0 || inside.startsWith(".husky/_")) return [];
      return [followUp(`${path} ran: ${commands.join("; ")}.`)];
    }),
    ...fields
      .filter(({ path }) => path.length === 1)
      .map(({ path, value }) =>
        followUp(
          `${String(path[0])} in package.json was ${JSON.stringify(value)}.`,
        ),
      ),
  ],
});

function commandsIn(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(
      (line) =>
        line !== "" && !/^#|husky\.sh/.test(line) && !/^[{}[\],]+$/.test(line),
    );
}

function entries(value: unknown): readonly (readonly [string, string])[] {
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    typeof one === "string" ? [[key, one] as const] : [],
  );
}
