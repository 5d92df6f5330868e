// Sets the version of a release, or checks it. All packages have one version; workflows and documents mention it.
// usage: node scripts/release/release-version.mjs            the next version, by the levels in .yarn/versions
//        node scripts/release/release-version.mjs 1.2.3      this version
//        node scripts/release/release-version.mjs --check 1.2.3   exit code 1 if anything has another version
//        node scripts/release/release-version.mjs --notes    prints the newest part of CHANGELOG.md
import { execFileSync } from "node:child_process";
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";

/** Files that mention the version of published packages, besides the manifests. */
const NAMING = [
  ...textFiles(".github/workflows", ".yml"),
  ...textFiles("docs", ".md"),
  "README.md",
  "packages/yarn-plugin/README.md",
];
/**
 * The forms of the version: `@skein/affected@0.1.0`, `skein-affected-0.1.0.tgz`, `skein-tools/skein/…@v0.1.0`,
 * `…/skein/v0.1.0/…`
 */
const NAMED =
  /(?<=@skein\/[\w-]+@|\bskein-[\w-]+-|skein-tools\/skein(?:\/[\w./-]*)?@v|skein-tools\/skein\/(?:releases\/download\/)?v)\d+\.\d+\.\d+/g;
const LEVELS = ["patch", "minor", "major"];

const [first, second] = process.argv.slice(2);
const now = JSON.parse(readFileSync("package.json", "utf8")).version;
if (first === "--notes") process.stdout.write(newestNotes());
else if (first === "--check") check(second);
else release(first ?? next());

function textFiles(folder, ending) {
  return readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name}`);
}

function manifests() {
  return ["packages", "tools"]
    .flatMap((folder) =>
      readdirSync(folder).map((name) => `${folder}/${name}/package.json`),
    )
    .filter((path) => existsSync(path))
    .concat("package.json");
}

/** Returns the version after this one, by the highest level in the files of `yarn version --deferred`. */
function next() {
  const texts = deferred().map((path) => readFileSync(path, "utf8"));
  const level = Math.max(
    ...texts.map((text) =>
      LEVELS.findLastIndex((each) => text.includes(`: ${each}`)),
    ),
  );
  if (level < 0) {
    fail(
      "no release is recorded in .yarn/versions; name a version, or run `yarn version minor --deferred` in a tool",
    );
  }
  const parts = now.split(".").map(Number);
  const at = LEVELS.length - 1 - level;
  return parts
    .map((part, index) => (index < at ? part : index === at ? part + 1 : 0))
    .join(".");
}

function deferred() {
  return existsSync(".yarn/versions")
    ? textFiles(".yarn/versions", ".yml")
    : [];
}

function release(version) {
  if (!/^\d+\.\d+\.\d+$/.test(version))
    fail(`${version} isn't a version such as 1.2.3`);
  for (const path of manifests())
    replaceIn(path, /(?<=^ {2}"version": ")[^"]+/m, version);
  for (const path of NAMING) replaceIn(path, NAMED, version);
  const today = new Date().toISOString().slice(0, 10);
  replaceIn(
    "CHANGELOG.md",
    /^## Unreleased\n/m,
    `## Unreleased\n\n## ${version} (${today})\n`,
  );
  for (const path of deferred()) rmSync(path);
  console.log(
    `${now} -> ${version}\n\nCommit it, and once it is merged: git tag -s v${version} && git push origin v${version}`,
  );
}

function replaceIn(path, pattern, text) {
  writeFileSync(path, readFileSync(path, "utf8").replace(pattern, text));
}

function check(version) {
  const wrong = [
    ...manifests().filter(
      (path) => JSON.parse(readFileSync(path, "utf8")).version !== version,
    ),
    ...NAMING.filter((path) =>
      (readFileSync(path, "utf8").match(NAMED) ?? []).some(
        (each) => each !== version,
      ),
    ),
    ...(newestNotes().startsWith(`## ${version} (`) ? [] : ["CHANGELOG.md"]),
  ];
  if (wrong.length > 0)
    fail(`these don't have the version ${version}: ${wrong.join(", ")}`);
  const tracked = execFileSync("git", ["status", "--porcelain"], {
    encoding: "utf8",
  });
  if (tracked !== "") fail(`the build changed files:\n${tracked}`);
}

/** Returns the newest released part of CHANGELOG.md. */
function newestNotes() {
  const parts = readFileSync("CHANGELOG.md", "utf8").split(/^(?=## )/m);
  return parts.find((part) => /^## \d/.test(part)) ?? "";
}

function fail(sentence) {
  console.error(`release-version: ${sentence}`);
  process.exit(1);
}
