import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { dirname, join, posix } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { defaultSettings, parseSettings } from "@skein/workspaces";
import { gitIn, tempDir, writeFiles, yarnPath } from "@skein/testing";
import { repositoryFile, skeinRoot } from "./packed.js";
import { pages } from "./pages.js";
import { runProgram } from "./process.js";

/** Returns the fenced blocks of a page with this info string. */
function blocks(page: string, info: string): string[] {
  return [
    ...repositoryFile(page).matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm),
  ].flatMap(([, first, text]) =>
    first === info && text !== undefined ? [text] : [],
  );
}

/** Returns the lines without parts that differ in every run: durations, and the column widths that follow from them. */
function timeless(text: string): string[] {
  return text
    .replaceAll(/ +\(?[\d.]+ m?s\b/g, " <time>")
    .replaceAll(/ +$/gm, "")
    .split("\n");
}

test.each(pages)("%s links only to files that exist", (page) => {
  const links = [...repositoryFile(page).matchAll(/\]\(([^)#\s]+)(#[^)]*)?\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^\w+:/.test(target));
  const missing = links.filter(
    (target) => !existsSync(join(skeinRoot, posix.join(dirname(page), target))),
  );
  expect(missing).toEqual([]);
});

/** Returns the anchors that GitHub gives to the headings of a page. */
function anchors(page: string): string[] {
  const text = repositoryFile(page).replaceAll(/^```[\s\S]*?^```$/gm, "");
  const uses = new Map<string, number>();
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => {
    const slug = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-");
    const used = uses.get(slug) ?? 0;
    uses.set(slug, used + 1);
    return used === 0 ? slug : `${slug}-${used}`;
  });
}

test.each(pages)("%s links only to headings that exist", (page) => {
  const links = [
    ...repositoryFile(page).matchAll(
      /\]\((?!\w+:)([^)#\s]*\.md|)#([^)\s]+)\)/g,
    ),
  ].map(([, target = "", anchor = ""]) => ({
    target: target === "" ? page : posix.join(dirname(page), target),
    anchor,
  }));
  const missing = links.filter(
    ({ target, anchor }) => !anchors(target).includes(anchor),
  );
  expect(missing).toEqual([]);
});

test.each(pages)("%s names tests that are there", (page) => {
  const tests = [
    ...repositoryFile(page).matchAll(
      /\b(?:packages|tools)\/[\w/-]+\/dist\/[\w/.-]+\.test\.js\b/g,
    ),
  ].map(([path]) => path.replace("/dist/", "/src/").replace(/\.js$/, ".ts"));
  expect(tests.filter((path) => !existsSync(join(skeinRoot, path)))).toEqual(
    [],
  );
});

test("docs/architecture.md names files and lists that are there", () => {
  const words = [
    ...repositoryFile("docs/architecture.md").matchAll(/`([^`\n]+)`/g),
  ].map(([, word = ""]) => word);
  const tracked = gitIn(skeinRoot, "ls-files")
    .split("\n")
    .map((path) => `/${path}`);
  const files = words.filter((word) => /^[\w/-]+\.(ts|[cm]js)$/.test(word));
  expect(files.length).toBeGreaterThan(60);
  expect(
    files.filter((file) => !tracked.some((path) => path.endsWith(`/${file}`))),
  ).toEqual([]);
  const lists = words.filter((word) => /^[A-Z]+(_[A-Z]+)*$/.test(word));
  expect(lists.length).toBeGreaterThan(10);
  const declared = gitIn(
    skeinRoot,
    "grep",
    "-hoE",
    `const (${lists.join("|")})\\b`,
    "--",
    "*.ts",
  ).split("\n");
  expect(lists.filter((list) => !declared.includes(`const ${list}`))).toEqual(
    [],
  );
});

test("docs/decisions/README.md lists every decision under its title", () => {
  const folder = "docs/decisions/";
  const titles = pages
    .filter((page) => page.startsWith(`${folder}0`))
    .map((page) => {
      const [title = ""] = repositoryFile(page).split("\n");
      return `- [${title.replace(/^# /, "")}](${page.replace(folder, "")})`;
    });
  const listed = repositoryFile(`${folder}README.md`).match(/^- \[.*$/gm) ?? [];
  expect(listed.toSorted()).toEqual(titles.toSorted());
});

test("llms.txt links only to files that exist", () => {
  const links = [
    ...repositoryFile("llms.txt").matchAll(
      /\]\(https:\/\/(?:raw\.githubusercontent|github)\.com\/skein-tools\/skein\/(?:tree\/)?main\/([^)]+)\)/g,
    ),
  ].map(([, path = ""]) => path);
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter((path) => !existsSync(join(skeinRoot, path)))).toEqual(
    [],
  );
});

test.each(gitIn(skeinRoot, "ls-files", "*.schema.json").trim().split("\n"))(
  "%s has a stable id",
  (path) => {
    const { $id } = JSON.parse(repositoryFile(path)) as { $id: string };
    // Schemas that people name in their files have a URL. Schemas of output have a name with a version.
    expect($id).toMatch(
      /^(urn:skein:[a-z-]+:[a-z-]+:\d+|https:\/\/raw\.githubusercontent\.com\/skein-tools\/skein\/main\/\S+)$/,
    );
    if ($id.startsWith("https:"))
      expect(
        existsSync(join(skeinRoot, $id.split("/skein/main/")[1] ?? "none")),
      ).toBe(true);
  },
);

// The demo checks the output of its own commands, so its exit code covers most of it. The next steps at the end of its output
// show that it didn't stop early. It starts with the folder of an earlier run, and must leave no files outside its own
// folder.
test("npm run demo works repeatedly, and the README describes it correctly", async () => {
  await using folder = await tempDir();
  const own = `skein-demo-${userInfo().username.replaceAll(/\W/g, "_")}`;
  await writeFiles(join(folder.path, own), {
    ".skein-demo": "",
    "shop/yarn.lock": "what an earlier demo left\n",
    "shop/.git/HEAD": "ref: refs/heads/quicker-rounding\n",
    "libraries/money/.git/index.lock": "",
  });
  const { exitCode, stdout, stderr } = await runProgram(
    { cwd: skeinRoot, env: { TMPDIR: folder.path } },
    ...([process.execPath, yarnPath, "run", "demo:run"] as const),
  );
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout).toContain("Now you");
  const printed = new Set(timeless(stdout));
  const shown = timeless(blocks("README.md", "console demo").join(""));
  expect(shown.length).toBeGreaterThan(10);
  expect(shown.filter((line) => !printed.has(line))).toEqual([]);
  expect(await readdir(folder.path)).toEqual([own]);
}, 400_000);

test("without Yarn, the install from a checkout changes nothing, and prints how to install Yarn", async () => {
  await using folder = await tempDir();
  const manifest = '{ "name": "shop", "workspaces": ["packages/*"] }';
  await writeFiles(folder.path, { "package.json": manifest });
  const { exitCode, stderr } = await runProgram(
    { cwd: folder.path, env: { PATH: folder.path } },
    ...([
      process.execPath,
      join(skeinRoot, "scripts/install-into.mjs"),
      ".",
    ] as const),
  );
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: "install-into: yarn isn't on your PATH\nhint: corepack enable\n",
  });
  expect(await readdir(folder.path)).toEqual(["package.json"]);
  expect(await readFile(join(folder.path, "package.json"), "utf8")).toBe(
    manifest,
  );
});

describe("docs/settings.md", () => {
  const page = "docs/settings.md";

  test("shows valid settings", () => {
    const examples = blocks(page, "json settings");
    expect(examples.length).toBeGreaterThan(8);
    for (const example of examples)
      expect(() => parseSettings(example)).not.toThrow();
  });

  test("shows the real defaults", () => {
    const defaults = blocks(page, "json settings default");
    expect(defaults.length).toBe(2);
    for (const example of defaults)
      expect(parseSettings(example)).toEqual(defaultSettings);
  });

  test("has a section for each field, and no others", () => {
    const { affected, ...top } = defaultSettings;
    const parts = [...repositoryFile(page).matchAll(/^## (\S+)$/gm)].map(
      ([, name]) => name,
    );
    expect(parts.toSorted()).toEqual(
      [
        ...Object.keys(top),
        ...Object.keys(affected).map((name) => `affected.${name}`),
      ].toSorted(),
    );
  });
});
