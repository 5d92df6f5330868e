// The state before the migration: three libraries, each in its own repository, with authors, branches and a tag for
// each release.
import { cents, manifest, roundsHalfUp, testOf } from "./sources.mjs";

const ada = "Ada Okafor <ada@shop.example>";
const ben = "Ben Meyer <ben@shop.example>";
const chen = "Chen Li <chen@shop.example>";
const dora = "Dora Nyström <dora@shop.example>";

/** Files that each library has because it is a repository. The migration removes and reports them. */
const ownRepository = {
  ".github/workflows/ci.yml": `on: push
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: npm test
`,
  "renovate.json": '{ "extends": ["config:recommended"] }\n',
};

/**
 * The commits of each library, oldest first. `files` are those that a commit writes; `branch` is "main" by default;
 * `merge` is a branch that it merges; `tag` is a release.
 */
export const libraries = {
  money: [
    {
      by: ada,
      at: "2024-02-05T09:12:00Z",
      message: "Amounts in whole cents",
      files: {
        ...ownRepository,
        "package.json": manifest("@shop/money", "1.0.0"),
        "README.md": "# Money\n\nAmounts without rounding errors.\n",
        "index.js": cents,
        "index.test.js": testOf("cents", "cents(2.5)", "250"),
      },
      tag: "v1.0.0",
    },
    {
      by: ben,
      at: "2024-06-18T14:40:00Z",
      message: "Print an amount (#7)",
      branch: "print",
      files: { "index.js": roundsHalfUp },
    },
    {
      by: ben,
      at: "2024-06-18T15:05:00Z",
      message: "Test what is printed",
      branch: "print",
      files: {
        "index.test.js": testOf("print", "print(2.5)", '"2.50 EUR"'),
      },
    },
    {
      by: chen,
      at: "2024-06-17T11:00:00Z",
      message: "Say who uses it",
      files: {
        "README.md":
          "# Money\n\nAmounts without rounding errors. Cart and invoices use it.\n",
      },
    },
    {
      by: ada,
      at: "2024-06-19T08:30:00Z",
      message: "Merge pull request #8 from shop/print",
      merge: "print",
      files: {
        "index.js": roundsHalfUp,
        "index.test.js": testOf("print", "print(2.5)", '"2.50 EUR"'),
      },
    },
    {
      by: ada,
      at: "2024-06-19T08:45:00Z",
      message: "1.1.0",
      files: { "package.json": manifest("@shop/money", "1.1.0") },
      tag: "v1.1.0",
    },
  ],
  catalog: [
    {
      by: chen,
      at: "2024-03-11T10:00:00Z",
      message: "A catalogue with tea",
      files: {
        ...ownRepository,
        "package.json": manifest("@shop/catalog", "1.0.0"),
        "index.js": "export const catalog = { tea: 4.2 };\n",
        "index.test.js": testOf("catalog", '"tea" in catalog', "true"),
      },
      tag: "v1.0.0",
    },
    {
      by: dora,
      at: "2024-09-02T16:20:00Z",
      message: "Tea costs more",
      files: { "index.js": "export const catalog = { tea: 4.35 };\n" },
    },
    {
      by: chen,
      at: "2025-01-20T09:00:00Z",
      message: "Sell cups",
      files: { "index.js": "export const catalog = { tea: 4.35, cup: 12 };\n" },
    },
    {
      by: chen,
      at: "2025-01-20T09:10:00Z",
      message: "1.2.0",
      files: { "package.json": manifest("@shop/catalog", "1.2.0") },
      tag: "v1.2.0",
    },
  ],
  flags: [
    {
      by: dora,
      at: "2025-04-07T13:00:00Z",
      message: "Switches for what is not ready",
      files: {
        ...ownRepository,
        "package.json": manifest("@shop/flags", "1.0.0"),
        "index.js": "export const flags = { giftWrap: true };\n",
        "index.test.js": testOf("flags", "typeof flags.giftWrap", '"boolean"'),
      },
    },
    {
      by: ben,
      at: "2025-04-08T09:30:00Z",
      message: "No gift wrap before Christmas",
      files: { "index.js": "export const flags = { giftWrap: false };\n" },
      tag: "v1.0.0",
    },
  ],
};

/** Returns the input for `git fast-import` to create a library's repository, with the same ids on every machine. */
export function fastImport(commits) {
  const lines = [];
  const data = (text) => lines.push(`data ${Buffer.byteLength(text)}`, text);
  const branches = new Set();
  for (const [index, commit] of commits.entries()) {
    const { by, at, message, branch = "main", merge, files, tag } = commit;
    const who = `${by} ${Date.parse(at) / 1000} +0000`;
    lines.push(`commit refs/heads/${branch}`, `mark :${index + 1}`);
    lines.push(`author ${who}`, `committer ${who}`);
    data(`${message}\n`);
    if (index > 0 && !branches.has(branch)) lines.push("from refs/heads/main");
    if (merge) lines.push(`merge refs/heads/${merge}`);
    branches.add(branch);
    for (const [path, content] of Object.entries(files)) {
      lines.push(`M 100644 inline ${path}`);
      data(content);
    }
    if (tag) {
      lines.push(`tag ${tag}`, `from :${index + 1}`, `tagger ${who}`);
      data(`${tag}\n`);
    }
  }
  return `${lines.join("\n")}\n`;
}
