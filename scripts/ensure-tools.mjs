// Installs missing programs that some tests need, from Debian's packages, if the user is root and apt-get exists (CI
// containers). It never fails: the tests of a missing program fail themselves if all tests are required
// (SKEIN_ALL_TESTS or CI is set).
// usage: node scripts/ensure-tools.mjs [names…]
import { spawnSync } from "node:child_process";

/** The package of each program. A program also counts as installed if its variable names another one. */
const TOOLS = [
  {
    name: "chromium",
    programs: ["chromium", "chromium-browser", "google-chrome", "chrome"],
    variable: "CHROMIUM_PATH",
    package: "chromium",
    for: "the tests of the graph page",
  },
  {
    name: "git-lfs",
    programs: ["git-lfs"],
    package: "git-lfs",
    for: "a migration with the real Git LFS",
  },
  {
    name: "promtool",
    programs: ["promtool"],
    variable: "PROMTOOL_PATH",
    package: "prometheus",
    for: "the check of OpenMetrics",
  },
  {
    name: "strace",
    programs: ["strace"],
    package: "strace",
    for: "tests that observe what a program reads",
  },
  {
    name: "rsync",
    programs: ["rsync"],
    package: "rsync",
    for: "pipelines of GitLab, which gitlab-ci-local carries out",
  },
  {
    name: "go",
    programs: ["go", "/usr/local/go/bin/go"],
    variable: "ACT_PATH",
    package: "golang-go",
    for: "the end-to-end tests, whose act is built with it",
  },
];

const asked = process.argv.slice(2);
const unknown = asked.filter((name) =>
  TOOLS.every((tool) => tool.name !== name),
);
if (unknown.length > 0) {
  console.error(
    `unknown: ${unknown.join(", ")}\nhint: ${TOOLS.map(({ name }) => name).join(", ")}`,
  );
  process.exit(2);
}

const isThere = (program) =>
  spawnSync("sh", ["-c", 'command -v "$0"', program]).status === 0;
const missing = TOOLS.filter(
  ({ name, programs, variable }) =>
    (asked.length === 0 || asked.includes(name)) &&
    !(variable && process.env[variable]) &&
    !programs.some(isThere),
);

if (missing.length > 0) {
  for (const { name, for: purpose } of missing)
    console.log(`${name} is missing, for ${purpose}`);
  if (process.getuid?.() === 0 && isThere("apt-get")) {
    apt("update", "-q");
    // One by one, because a package that this release lacks must not block the others.
    for (const tool of missing)
      apt("install", "-y", "-q", "--no-install-recommends", tool.package);
  } else console.log("only root can install them, on Debian");
}

function apt(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const { status } = spawnSync("apt-get", args, { stdio: "inherit", env });
  if (status !== 0) console.log(`apt-get ${args.join(" ")} failed`);
}
