import { join } from "node:path";
import { gitIn, json, writeFiles } from "@skein/testing";
import {
  commitAll,
  commitWorkspace,
  makeOrigin,
  packTools,
} from "../../e2e/packed-workspace.js";
import type { Tarball } from "../../packed.js";
import { adoptedWorkflow } from "../../workflows/shown.js";

/** A bare repository with a workspace, and a change of some of its packages. */
export interface BenchWorkspace {
  readonly origin: string;
  readonly base: string;
  readonly head: string;
  readonly tarballs: readonly Tarball[];
}

export interface WorkspaceOptions {
  readonly packages: number;
  /** The number of packages that the change affects. */
  readonly affected: number;
  readonly testMs: number;
  /** The name of the slow package. `registry` is the address of its registry. */
  readonly slow: string;
  readonly registry: string;
  /** The path of the program turbo. */
  readonly turbo: string;
}

/** A test that only waits, and records its start and end. Real work would be slower if the machine is busy. */
const TEST = `const { appendFileSync } = require("node:fs");
const from = Date.now();
setTimeout(() => {
  appendFileSync(process.env.E2E_ARTIFACTS + ".tests", from + " " + Date.now() + "\\n");
}, Number(process.argv[2]));\n`;

/** The action in the workflows that teams write by hand. */
const CHECKOUT =
  "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1";

/** Creates the workspace, its three workflows, and the change on the branch `change`. */
export async function makeBenchWorkspace(
  folder: string,
  { packages, affected, testMs, slow, registry, turbo }: WorkspaceOptions,
): Promise<BenchWorkspace> {
  const work = join(folder, "make");
  const { tarballs, manifest } = await packTools(folder, work);
  const names = Array.from(
    { length: packages },
    (_, index) => `p${String(index).padStart(3, "0")}`,
  );
  await writeFiles(work, {
    ".gitignore": "node_modules\n.yarn\n.turbo\n",
    ".yarnrc.yml": `nodeLinker: node-modules\nnmMode: hardlinks-global\nunsafeHttpWhitelist: ["127.0.0.1"]\nnpmScopes: { slow: { npmRegistryServer: "${registry}" } }\n`,
    ".github/workflows/ci.yml": `${adoptedWorkflow("ci.yml")}    with: { setup: ${JSON.stringify(INSTALL)} }\n`,
    ".github/workflows/turbo.yml": turboWorkflow(turbo),
    ".github/workflows/matrix.yml": MATRIX,
    "turbo.json": json({ tasks: { test: { cache: false } } }),
    "package.json": json({
      ...{ name: "bench", private: true, workspaces: ["packages/*"] },
      ...manifest,
      dependencies: { [slow]: "1.0.0" },
    }),
    "test.cjs": TEST,
    ...Object.fromEntries(
      names.flatMap((name) => [
        [
          `packages/${name}/package.json`,
          json({
            ...{ name, version: "1.0.0" },
            scripts: { test: `node ../../test.cjs ${testMs}` },
          }),
        ],
        [`packages/${name}/index.js`, "module.exports = 1;\n"],
      ]),
    ),
  });
  const base = await commitWorkspace(work, "A workspace");
  gitIn(work, "switch", "--quiet", "--create=change");
  await writeFiles(
    work,
    Object.fromEntries(
      names
        .slice(0, affected)
        .map((name) => [`packages/${name}/index.js`, "module.exports = 2;\n"]),
    ),
  );
  const head = commitAll(work, "A change");
  const origin = makeOrigin(folder, work);
  return { origin, base, head, tarballs };
}

/** Before an install, FORGET removes what must be downloaded again. */
const INSTALL = 'eval "${FORGET:-true}"; yarn install --immutable';

function turboWorkflow(turbo: string): string {
  return `name: turbo
on: pull_request
permissions: {}
jobs:
  test:
    runs-on: ubuntu-latest
    permissions: { contents: read }
    steps:
      - uses: ${CHECKOUT}
        with: { persist-credentials: false }
      - run: ${JSON.stringify(INSTALL)}
      - run: ${JSON.stringify(`${turbo} run test --affected --concurrency=1 --env-mode=loose --no-update-notifier`)}
`;
}

const MATRIX = `name: matrix
on: pull_request
permissions: {}
jobs:
  changed:
    runs-on: ubuntu-latest
    permissions: { contents: read }
    outputs:
      packages: \${{ steps.changed.outputs.packages }}
    steps:
      - uses: ${CHECKOUT}
        with: { persist-credentials: false }
      - id: changed
        run: |
          names=$(git diff --name-only "$E2E_BASE" HEAD -- packages | cut -d/ -f2 | sort -u | jq --raw-input . | jq --slurp --compact-output .)
          echo "packages=$names" >> "$GITHUB_OUTPUT"
  test:
    needs: changed
    runs-on: ubuntu-latest
    permissions: { contents: read }
    strategy:
      fail-fast: false
      matrix:
        package: \${{ fromJSON(needs.changed.outputs.packages) }}
    steps:
      - uses: ${CHECKOUT}
        with: { persist-credentials: false }
      - run: ${JSON.stringify(INSTALL)}
      - run: yarn workspace "$PACKAGE" test
        env: { PACKAGE: "\${{ matrix.package }}" }
`;
