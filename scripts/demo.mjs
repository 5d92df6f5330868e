// `npm run demo`: the main job, `affected test`, on an example workspace made for it, with a git history and a change.
// Every command is really run; the demo checks what each answers, and fails (exit code 1) where that is not as it says.
import { spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters, styleText } from "node:util";
import { cutsOff, roundsHalfUp, workspaceFiles } from "./demo/workspace.mjs";

const skein = fileURLToPath(new URL("..", import.meta.url));
const shop = join(
  realpathSync(tmpdir()),
  `skein-demo-${userInfo().username.replaceAll(/\W/g, "_")}`,
);
const marker = join(shop, ".skein-demo");
const env = cleanEnvironment();

heading("An example workspace: a shop of five packages and two apps");
makeWorkspace();
show("yarn", ["install"], { quiet: true });
git("init", "--quiet", "--initial-branch=main");
git("config", "user.name", "Ada");
git("config", "user.email", "ada@example.com");
git("config", "commit.gpgsign", "false");
git("config", "core.hooksPath", join(shop, ".no-hooks"));
git("add", "--all");
git("commit", "--quiet", "--message=A shop");
say(`It is in ${shop}

  @shop/web   -> @shop/cart -> @shop/money, @shop/catalog
  @shop/admin -> @shop/catalog
  @shop/flags, @shop/emails: nobody declares that they depend on them
`);

heading("A change: one line in @shop/money");
git("switch", "--quiet", "--create", "quicker-rounding");
write("packages/money/index.js", cutsOff);
show("git", ["diff", "--unified=0"], {
  has: ["-export const cents", "+export const cents"],
});

heading("Which packages must be tested, and why?");
show("yarn", ["affected", "list", "--table"], {
  has: ["@shop/money", "@shop/cart", "@shop/web"],
  hasNot: ["@shop/catalog ", "@shop/emails", "@shop/admin", "@shop/flags"],
});
show("yarn", ["affected", "why", "@shop/web"], {
  has: ["packages/money/index.js", "@shop/cart"],
});

heading("Run their tests, and no others");
show("yarn", ["affected", "test"], {
  status: 1,
  has: ["@shop/money", "@shop/cart", "@shop/web", "1634 !== 1635"],
  hasNot: ["@shop/emails", "@shop/admin", "@shop/flags"],
});
say(`@shop/money passes its own test. The bug shows in @shop/cart, where no file changed: 4.35 * 100 is 434.99999999999994.
The exit code was 1: a script failed.
`);

heading("Mend it: nothing is left to test");
write("packages/money/index.js", roundsHalfUp);
show("yarn", ["affected", "list"], { exactly: "" });

heading("A dependency that nobody declared");
say(`apps/admin/index.js imports @shop/flags, and its package.json does not say so.
A tool that reads manifests alone would miss it.
`);
write(
  "packages/flags/index.js",
  "export const flags = { giftWrap: false, coupons: false };\n",
);
show("yarn", ["affected", "list"], { exactly: "@shop/admin\n@shop/flags\n" });
show("yarn", ["affected", "why", "@shop/admin"], {
  has: ["apps/admin/index.js:2"],
});
show("yarn", ["affected", "audit", "--check"], {
  status: 1,
  has: ["apps/admin/index.js:2", "@shop/flags"],
});
git("restore", "packages/flags/index.js");

heading("A change of documentation selects nothing");
write("README.md", "# Shop\n\nWhat we sell, how, and why.\n");
show("yarn", ["affected", "list"], { exactly: "" });
show("yarn", ["affected", "why-not", "@shop/web"], {
  has: ["@shop/web (apps/web) is not affected"],
});
git("restore", "README.md");

heading("Now you");
say(`The shop is in ${shop}. Try, for example:

  cd ${shop}
  echo '// hello' >> packages/catalog/index.js
  node ${join(skein, "tools/affected/bin/affected.js")} list --table
  node ${join(skein, "tools/affected/bin/affected.js")} graph --format html --output graph.html
  node ${join(skein, "tools/affected/bin/affected.js")} --help

(With Yarn or Corepack on your PATH, \`yarn affected\` is the same.) The next demo begins with a new shop.
In a workspace of your own: README.md, "Install".`);

function makeWorkspace() {
  if (existsSync(shop)) {
    // Nobody else's folder is removed because it has the same name.
    if (!existsSync(marker))
      fail(`${shop} is there and is not an earlier demo's; move it away`);
    rmSync(shop, { recursive: true });
  }
  mkdirSync(shop);
  writeFileSync(marker, "");
  const files = workspaceFiles({
    plugin: join(skein, "packages/yarn-plugin/plugin.cjs"),
    affected: join(skein, "tools/affected"),
  });
  for (const [path, content] of Object.entries(files)) write(path, content);
  mkdirSync(join(shop, ".git/info"), { recursive: true });
  write(".git/info/exclude", ".skein-demo\n");
}

function write(path, content) {
  mkdirSync(dirname(join(shop, path)), { recursive: true });
  writeFileSync(join(shop, path), content);
}

/** Prints a command as a person would type it, runs it, prints what it said, and checks that against what is expected. */
function show(
  command,
  args,
  { status = 0, has = [], hasNot = [], exactly, quiet = false } = {},
) {
  console.log(bold(`$ ${[command, ...args].join(" ")}`));
  // Both streams in one file: in the order in which they were written.
  const log = join(shop, ".git", "skein-demo.log");
  mkdirSync(dirname(log), { recursive: true });
  const stream = openSync(log, "w");
  const result = spawnSync(command, args, {
    cwd: shop,
    env,
    stdio: ["ignore", stream, stream],
    // On Windows yarn is a .cmd file, which only a shell starts.
    shell: process.platform === "win32",
  });
  closeSync(stream);
  const output = readFileSync(log, "utf8");
  rmSync(log);
  const complain = (what) => {
    console.log(output);
    fail(`\`${command} ${args.join(" ")}\` ${what}`);
  };
  if (result.error) complain(`did not start: ${result.error.message}`);
  if (result.status !== status)
    complain(`ended with ${result.status}, not with ${status}`);
  const text = stripVTControlCharacters(output);
  if (exactly !== undefined && text !== exactly)
    complain(`did not print ${JSON.stringify(exactly)}`);
  for (const part of has)
    if (!text.includes(part)) complain(`did not print ${part}`);
  for (const part of hasNot)
    if (text.includes(part)) complain(`printed ${part}`);
  if (quiet) console.log();
  else
    console.log(output.trim() === "" ? "(nothing)\n" : `${output.trimEnd()}\n`);
}

function git(...args) {
  const { status, stderr } = spawnSync("git", args, { cwd: shop, env });
  if (status !== 0) fail(`git ${args.join(" ")}: ${stderr}`);
}

/** Without what a CI job or an outer Yarn says of another repository: the example is compared with its own main branch. */
function cleanEnvironment() {
  const outer =
    /^(GITHUB_|GIT_|CI$|npm_|INIT_CWD$|PROJECT_CWD$|YARN_ENABLE_IMMUTABLE_INSTALLS$)/;
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !outer.test(name)),
  );
}

function heading(text) {
  console.log(`${bold(text)}\n${"-".repeat(text.length)}\n`);
}

function say(text) {
  console.log(text);
}

function bold(text) {
  return process.stdout.isTTY ? styleText("bold", text) : text;
}

function fail(sentence) {
  console.error(`demo: ${sentence}`);
  process.exit(1);
}
