import { cp } from "node:fs/promises";
import { join } from "node:path";
import { gitIn, json, writeFiles } from "@skein/testing";
import { shownWorkflows } from "../workflows/shown.js";
import { checkOut, type Shop } from "./shop.js";

/** Records the variables of the page's example that a step sees. */
const note = (who: string) =>
  `echo "${who}: at $DATABASE, \${NPM_TOKEN:-no token}" >> "$E2E_ARTIFACTS.seen"`;

const action = (who: string) =>
  json({
    name: who,
    description: "Of the workspace",
    runs: { using: "composite", steps: [{ shell: "bash", run: note(who) }] },
  });

/** Records the same, and the content of the checkout. */
const TEST = `const { appendFileSync, readFileSync } = require("node:fs");
const { DATABASE, NPM_TOKEN = "no token", E2E_ARTIFACTS } = process.env;
const read = (file) => readFileSync("../../" + file, "utf8").trim();
appendFileSync(E2E_ARTIFACTS + ".seen", "test: at " + DATABASE + ", " + NPM_TOKEN
  + ", LFS: " + read("large.bin") + ", submodule: " + read("vendor/lib/name") + "\\n");\n`;

/**
 * Copies the shop's repository, and adds a branch `needs` with the workflow of docs/adopt.md that uses all inputs. Its
 * steps record what they see.
 * @returns the commits before and after its last one, which changes two packages
 */
export async function makeNeeds(
  shop: Shop,
  folder: string,
  origin: string,
): Promise<{ readonly before: string; readonly after: string }> {
  await cp(shop.origin, origin, { recursive: true });
  const library = join(folder, "library");
  await writeFiles(library, { name: "vendored\n" });
  commitAll(library, "A library", "init", "--quiet", "--initial-branch=main");
  const work = join(folder, "needs-make");
  await checkOut(origin, "bare", work);
  const git = (...args: string[]) => gitIn(work, ...args);
  git("switch", "--quiet", "--create=needs");
  git("lfs", "install", "--local");
  git("lfs", "track", "large.bin");
  const file = ["-c", "protocol.file.allow=always"];
  git(...file, "submodule", "--quiet", "add", library, "vendor/lib");
  await writeFiles(work, {
    "large.bin": "large\n",
    ".github/workflows/ci.yml": needsWorkflow(),
    ".github/actions/ci-dispatch-before/action.yml":
      action("the action before"),
    ".github/actions/ci-dispatch-after/action.yml": action("the action after"),
    "skein.json": json({ dispatch: { pools: { gpu: ["fine", "spot"] } } }),
    "packages/fine/test.js": TEST,
    "packages/spot/test.js": TEST,
  });
  const before = commitAll(work, "Needs");
  await writeFiles(work, {
    "packages/fine/index.js": "module.exports = 4;\n",
    "packages/spot/index.js": "module.exports = 4;\n",
  });
  const after = commitAll(work, "A change of two packages");
  git("lfs", "push", "--all", `file://${origin}`);
  git("push", "--quiet", origin, "needs");
  return { before, after };
}

function commitAll(dir: string, message: string, ...first: string[]): string {
  if (first.length > 0) gitIn(dir, ...first);
  gitIn(dir, "add", "--all");
  gitIn(dir, "commit", "--quiet", `--message=${message}`);
  return gitIn(dir, "rev-parse", "HEAD").trim();
}

/**
 * Returns the page's workflow. Its runners don't exist here, so their labels are replaced, and its steps record what they
 * see.
 */
function needsWorkflow(): string {
  const shown = shownWorkflows.find(({ name }) => name === "needs.yml");
  if (!shown) throw new Error("docs/adopt.md shows no needs.yml");
  return [
    // act doesn't have this machine. If a job ran on another machine than its pool's, the verdict would report it as missing.
    ['runs-on: \'["self-hosted", "linux"]\'', "runs-on: '[\"nowhere\"]'"],
    ['["self-hosted", "gpu"]', '["ubuntu-latest"]'],
    ['"container": "ghcr.io/acme/cuda:12"', '"container": ""'],
    ["docker compose up --detach --wait", JSON.stringify(note("before"))],
    ["docker compose logs", JSON.stringify(note("after"))],
    [
      /setup: .*/,
      `setup: ${JSON.stringify(`${note("set-up")}; yarn install --immutable`)}`,
    ],
    // It fails for the second version of Node, which is then set up completely.
    [
      /focus: .*/,
      `focus: ${JSON.stringify(`echo "focus: $*" >> "$E2E_ARTIFACTS.seen"; mkdir "$E2E_ARTIFACTS.focus"; yarn workspaces focus shop "$@"`)}`,
    ],
    [/fetch: .*/, `fetch: ${JSON.stringify(note("fetch"))}`],
  ].reduce((text, [from = "", to = ""]) => {
    const changed = text.replace(from, () => to as string);
    if (changed === text) throw new Error(`needs.yml lacks ${String(from)}`);
    return changed;
  }, shown.text);
}
