import { join } from "node:path";
import { steps } from "../../../../tools/migrate-repo/dist/steps/index.js";

/** The tool in this checkout. `INSTALLED` is its published form: a copy, below its dependencies. */
export const SKEIN = join(
  import.meta.dirname,
  "../../../../tools/migrate-repo",
);
export const INSTALLED = join(SKEIN, "node_modules/.bench");
/** The program that users start. */
export const PROGRAM = join(INSTALLED, "bin/migrate-repo.js");
const everything = "secrets lfs submodules non-package protected-branch".split(
  " ",
);
/** Options to migrate only the history, as the other tools do: no clean-up, no registration. */
const alone = [
  "--no-register",
  "--skip",
  ...steps.map(({ id }) => id),
  "--allow",
  ...everything,
];

/** Tools from the npm registry for the bench, each in its own folder. */
export const TOOLS = {
  nx: "nx@latest",
  // Newer versions don't start on Node 20.
  lerna: "lerna@8",
};

/**
 * Returns a contender that is a script: `$SRC` is the source, `$BRANCH` its branch, `$WORK` an empty folder, and
 * `$BENCH` the folder of the tools. The shell runs in the target.
 */
const shell = (label, script) => ({
  label,
  argv: ["sh", "-euc", script],
  shown: script,
});
const ours = (label, ...options) => ({
  label,
  argv: [
    "node",
    PROGRAM,
    "add",
    "$SRC",
    "--ref",
    "$BRANCH",
    "--to",
    "packages/lib",
    ...options,
  ],
  shown: `migrate-repo add SRC --to packages/lib ${options.includes("--skip") ? `${options.slice(0, options.indexOf("--no-register")).join(" ")} --no-register --skip (all steps)` : options.join(" ")}`,
});

/** Everything that is measured. Each contender migrates `$SRC` to packages/lib of the target. */
export const CONTENDERS = [
  shell(
    "bare `git fetch` (lower bound: nothing is migrated)",
    'git init -q --bare "$WORK/bare" && git -C "$WORK/bare" fetch -q --no-tags "$SRC" "$BRANCH:refs/heads/x"',
  ),
  ours("Skein, graft", "--history", "graft", ...alone),
  ours("Skein, move", "--history", "move", ...alone),
  ours("Skein, squash", "--history", "squash", ...alone),
  ours(
    "Skein, graft, cleaned up and registered",
    "--no-install",
    "--allow",
    ...everything,
  ),
  shell(
    "LinkedIn's recipe",
    'git clone -q --no-local -b "$BRANCH" "$SRC" "$WORK/c"; cd "$WORK/c"; mkdir -p packages/lib; git ls-tree -z --name-only HEAD | xargs -0 -I@ git mv -k -- @ packages/lib/; git commit -qm "Move to packages/lib"; cd "$OLDPWD"; git remote add lib "$WORK/c"; git fetch -q --tags lib; git merge -q --allow-unrelated-histories -m "Merge lib" "lib/$BRANCH"; git remote rm lib',
  ),
  shell(
    "git-filter-repo",
    'git clone -q --no-local --bare --single-branch -b "$BRANCH" "$SRC" "$WORK/c"; (cd "$WORK/c" && "$BENCH/venv/bin/git-filter-repo" --quiet --force --to-subdirectory-filter packages/lib --preserve-commit-hashes --preserve-commit-encoding); git fetch -q --tags "$WORK/c" "$BRANCH"; git merge -q --allow-unrelated-histories -m "Merge lib" FETCH_HEAD',
  ),
  shell(
    "git subtree add",
    'git subtree -q add --prefix packages/lib "$SRC" "$BRANCH"',
  ),
  {
    ...shell(
      "nx import",
      'printf "node_modules\\n.nx\\n" > .git/info/exclude; ln -s "$BENCH/nx/node_modules" node_modules; echo "{}" > nx.json; git add --all; git commit -qm Nx; NX_DAEMON=false node_modules/.bin/nx import "$SRC" packages/lib --ref="$BRANCH" --source=. --interactive=false',
    ),
    needs: "nx",
  },
  {
    ...shell(
      "lerna import",
      'printf "node_modules\\n.nx\\n" > .git/info/exclude; ln -s "$BENCH/lerna/node_modules" node_modules; echo \'{"version":"0.0.0","packages":["packages/*"]}\' > lerna.json; git add --all; git commit -qm Lerna; git clone -q --no-local -b "$BRANCH" "$SRC" "$WORK/lib"; NX_DAEMON=false node_modules/.bin/lerna import "$WORK/lib" --dest packages --flatten --yes',
    ),
    needs: "lerna",
  },
];
