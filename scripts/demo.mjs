// `npm run demo`: shows what Skein is for, from repositories of libraries to one workspace, with a generated example.
// It really runs every command and checks its output. If an output isn't the expected one, the demo fails (exit code 1).
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { applicationFiles } from "./demo/application.mjs";
import { deliveries, moved, today } from "./demo/deliveries.mjs";
import { fastImport, libraries } from "./demo/libraries.mjs";
import { openPullRequest } from "./demo/pull-request.mjs";
import { startRegistry } from "./demo/registry.mjs";
import { cutsOff, roundsHalfUp } from "./demo/sources.mjs";
import {
  clearFolder,
  folder,
  git,
  heading,
  initRepository,
  say,
  show,
  write,
} from "./demo/stage.mjs";

const skein = fileURLToPath(new URL("..", import.meta.url));

heading(
  "A shop: one application, and three libraries in repositories of their own",
);
clearFolder();
for (const [name, commits] of Object.entries(libraries)) {
  initRepository(`libraries/${name}`);
  git(`libraries/${name}`, ["fast-import", "--quiet"], fastImport(commits));
  git(`libraries/${name}`, ["reset", "--quiet", "--hard"]);
}
const npm = await startRegistry({
  scope: "@shop",
  names: Object.keys(libraries),
  git: (name, args) => git(`libraries/${name}`, args),
});
const registry = npm.url;
initRepository("shop");
for (const [path, content] of Object.entries(
  applicationFiles({ skein, registry }),
))
  write(`shop/${path}`, content);
await show("yarn install", { quiet: true });
git("shop", ["add", "--all"]);
git("shop", ["commit", "--quiet", "--message=The shop"]);
say(`The demo has just created all of it, in ${folder}

  libraries/money, libraries/catalog, libraries/flags
         a repository each, with several authors; their releases are in a registry of the demo's own
  shop   the application, which installs them from there:
         @shop/web -> @shop/cart -> @shop/money ^1.0.0, @shop/catalog ^1.2.0
         @shop/admin -> @shop/catalog ^1.2.0
         @shop/emails -> @shop/flags ^1.0.0
`);

heading("The libraries move into the shop, with their history");
say(
  "A manifest in the shop declares what moves, and where to. One command moves it.\n",
);
await show("git show HEAD:migrations.json", { has: ["../libraries/money"] });
await show("yarn migrate-repo apply --report ../migration.html", {
  exactly: ["money", "catalog", "flags"]
    .map((name) => `../libraries/${name}: migrated\n`)
    .concat("The report is in ../migration.html.\n")
    .join(""),
});
await show("yarn migrate-repo verify @shop/money", {
  has: ["nothing is missing", "6 commits", "2 tags"],
});
await show("git log --oneline --graph -- packages/money", {
  has: ["Print an amount (#7)", "Merge pull request #8"],
});
say("Packages that installed a release now use the folder in the workspace:\n");
await show("git grep workspace:^ -- packages/cart apps", {
  has: ['"@shop/money": "workspace:^"', '"@shop/catalog": "workspace:^"'],
});
await show("yarn install", { quiet: true });

heading("A change: one line in @shop/money");
git("shop", ["switch", "--quiet", "--create", "quicker-rounding"]);
write("shop/packages/money/index.js", cutsOff);
await show("git diff --unified=0", {
  has: ["-export const cents", "+export const cents"],
});

heading("Which packages must be tested, and why?");
await show("yarn affected list --table", {
  has: ["@shop/money", "@shop/cart", "@shop/web"],
  hasNot: ["@shop/catalog ", "@shop/emails", "@shop/admin", "@shop/flags"],
});
await show("yarn affected why @shop/web", {
  has: ["packages/money/index.js", "@shop/cart"],
});

heading("Run only their tests");
await show("yarn affected test", {
  status: 1,
  has: ["@shop/money", "@shop/cart", "@shop/web", "1634 !== 1635"],
  hasNot: ["@shop/emails", "@shop/admin", "@shop/flags"],
  only: /^([✓✗] |\d+ scripts| *1634 | {2}rerun)/,
});
say(`@shop/money passes its own test. The bug shows up in @shop/cart, where no file changed: 4.35 * 100 is 434.99999999999994.
The exit code was 1: a script failed.
`);

heading(
  "CI would do this: run the packages in jobs, next to the application's own suite",
);
await show("yarn ci-dispatch run --directory ../verdict", {
  status: 1,
  has: ["app-checkout green", "packages-1 red"],
  only: /^(\[|state|failed {2}|red:)/,
});

heading("Fixed: only the application's own suite still runs");
say("Math.round is back: nothing differs from main.\n");
write("shop/packages/money/index.js", roundsHalfUp);
await show("yarn affected list", { exactly: "" });
await show("yarn ci-dispatch run --directory ../fixed", {
  has: ["green: 1 passed"],
});

heading("In CI: a second push runs what it changed, and reuses the rest");
git("shop", ["switch", "--quiet", "main"]);
git(".", ["clone", "--quiet", "--bare", "shop", "shop.git"]);
git("shop", ["remote", "add", "origin", join(folder, "shop.git")]);
git("shop", ["switch", "--quiet", "--create", "coupons"]);
say(`A pull request changes @shop/money and @shop/flags. The workflow plans jobs, runs them, and judges. Here this machine runs them, and
the demo answers for GitHub: which runs the pull request had, and which results they stored.
`);
const emails = applicationFiles({ skein, registry })[
  "packages/emails/index.js"
];
write("shop/packages/money/index.js", `// In whole cents.\n${roundsHalfUp}`);
write(
  "shop/packages/flags/index.js",
  "export const flags = { giftWrap: false, coupons: false };\n",
);
git("shop", ["commit", "--quiet", "--all", "--message=Coupons"]);
const pullRequest = await openPullRequest("coupons");
const firstPush = pullRequest.push();
await carryOut(firstPush, "push-1", {
  planned: ["7 units in 1 job"],
  judged: ["green: 7 passed"],
});
say("The second push changes a line of @shop/emails:\n");
write("shop/packages/emails/index.js", `// To customers.\n${emails}`);
git("shop", ["commit", "--quiet", "--all", "--message=A comment"]);
await carryOut(pullRequest.push(), "push-2", {
  planned: ["1 unit in 1 job", "@shop/emails#test"],
  judged: [
    `passed in run ${firstPush.id} under the same fingerprint`,
    "green: 1 passed, 6 reused",
  ],
});
await pullRequest.close();
git("shop", ["switch", "--quiet", "quicker-rounding"]);

heading("An undeclared dependency");
say(`apps/admin/index.js imports @shop/flags, but its package.json doesn't declare it.
A tool that reads only manifests would miss it.
`);
write(
  "shop/packages/flags/index.js",
  "export const flags = { giftWrap: false, coupons: false };\n",
);
await show("yarn affected why @shop/admin", {
  has: ["apps/admin/index.js:2"],
});
await show("yarn affected audit --check", {
  status: 1,
  has: ["apps/admin/index.js:2", "@shop/flags"],
});
git("shop", ["restore", "packages/flags/index.js"]);

heading("Did it help? From commit to publish, before the move and after");
write("metrics/events.ndjson", deliveries());
say(`\`ci-dispatch metrics sync\` reads from GitHub and npm how long changes in your repositories took. This shop has no history there, so
the demo generates one: six weeks with the libraries in repositories of their own, then six in one workspace.
`);
const measured = `--store ../metrics --as-of ${today} --baseline ${moved}`;
await show(`yarn ci-dispatch metrics report ${measured}`, {
  has: ["95.1 % less", "shop/shop#479"],
  only: /^(lead time|headline|gross|machine only|before|P90 of|upgrade)/,
});
say(`Nine changes in ten reached the shop's customers within 21.7 hours, not counting the time in which people reviewed; now within 63.6
minutes. Most of it was "upgrade elsewhere": a released library waited for the pull request that upgraded the shop to it.
`);
await show(
  `yarn ci-dispatch metrics dashboard ${measured} --budget 120m --output ../dashboard.html`,
  { exactly: `wrote ${join(folder, "dashboard.html")}\n` },
);

await npm[Symbol.asyncDispose]();

heading("Now you");
const bin = (tool) => `node ${join(skein, `tools/${tool}/bin/${tool}.js`)}`;
say(`Open in a browser

  ${join(folder, "dashboard.html")}   where the time of a change goes
  ${join(folder, "migration.html")}   what the migration did, and what is left to check

The shop is in ${join(folder, "shop")}. Try, for example:

  cd ${join(folder, "shop")}
  echo '// hello' >> packages/catalog/index.js
  ${bin("affected")} list --table
  ${bin("affected")} graph --output ../graph.html
  ${bin("ci-dispatch")} run
  ${bin("migrate-repo")} status

(With Yarn or Corepack on your PATH, \`yarn affected\` is the same.) The next demo begins with a new shop.
In a workspace of your own: README.md, "Install".`);

/**
 * Runs the jobs of a push, one after another.
 * @param run the folder for their results
 * @param expected the output that the plan and the verdict must contain
 */
async function carryOut({ env: variables, keep }, run, { planned, judged }) {
  const plan = `../${run}/plan.json`;
  const attested = `--plan ${plan} --attestations ../${run}/attestations`;
  await show(
    `yarn ci-dispatch plan --since main --committed --fetch-history --output ${plan}`,
    { variables, has: planned, only: /^(job|all|reused|plan)\b/ },
  );
  await show(`yarn ci-dispatch exec --job all ${attested}`, {
    ...{ variables, quiet: true },
  });
  await show(
    `yarn ci-dispatch verdict ${attested} --report ../${run}/verdict.json`,
    { variables, has: judged },
  );
  keep(`${run}/verdict.json`);
}
