import { existsSync } from "node:fs";
import { readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { gitIn, json, suiteDir, writeFiles } from "@skein/testing";
import { buildWorkspace, dispatchIn, knownYarn } from "../cli.test.kit.js";

/** Names that a pull request may contain, with attacks on a shell, the Actions runner, Markdown and a terminal. */
const NAMES = [
  "$(touch pwned)",
  "; touch pwned #",
  "--help",
  "x\n::error file=a::pwned",
  "##[group]pwned",
  "@octo/team `@octo/all`",
  "| <img src=x> [a](https://evil.example) #1",
  "\u001b]0;pwned\u0007\u202e",
];

let dir: string;
const folderOf = (name: string) =>
  join(dir, "packages", name.replaceAll("/", "_"));
const made = await suiteDir(afterAll);
beforeAll(async () => {
  dir = join(made, "repo");
  const folders = NAMES.map((_name, index) => `p${index}`);
  buildWorkspace(
    dir,
    Object.fromEntries(
      folders.map((folder) => [folder, { scripts: { test: "exit 1" } }]),
    ),
    { root: knownYarn },
  );
  for (const [index, name] of NAMES.entries()) {
    const odd = name.replaceAll("/", "_");
    await rename(join(dir, `packages/p${index}`), folderOf(name));
    await writeFiles(folderOf(name), {
      "package.json": json({
        name,
        scripts: { test: "echo '::error::from a script'; exit 1" },
      }),
      [`${odd}.test.js`]: "",
    });
  }
  gitIn(dir, "switch", "--quiet", "--create", "$(touch${IFS}pwned)");
  gitIn(dir, "add", "--all");
  gitIn(dir, "commit", "--quiet", "--message=::error::pwned");
});

/**
 * Returns the commands that the Actions runner would find in a log. It reads both streams, and recognises commands
 * after white space.
 */
function commandsOf(log: string): string[] {
  let resume: string | undefined;
  return log.split("\n").filter((line) => {
    if (resume !== undefined) {
      if (line === resume) resume = undefined;
      return false;
    }
    const word = /^::stop-commands::(\S+)$/.exec(line)?.[1];
    resume = word === undefined ? undefined : `::${word}::`;
    return resume === undefined && /^\s*(?:::|##\[)/.test(line);
  });
}

test("names from a pull request don't reach a shell, command the runner, mention anyone or draw on the terminal", async () => {
  const file = (name: string) => join(dir, "..", name);
  const env = {
    GITHUB_ACTIONS: "true",
    GITHUB_OUTPUT: file("output"),
    GITHUB_STEP_SUMMARY: file("summary.md"),
    GITHUB_HEAD_REF: "$(touch pwned)",
  };
  const output: string[] = [];
  const dispatch = async (...args: string[]) => {
    const ended = await dispatchIn(dir, args, env);
    output.push(ended.stdout, ended.stderr);
    return ended.exitCode;
  };
  expect(await dispatch("plan", "--base=main", "--output=../plan.json")).toBe(
    0,
  );
  const plan = await readFile(file("plan.json"), "utf8");
  for (const name of NAMES)
    expect(plan).toContain(`"workspace": ${JSON.stringify(name)}`);
  // The answer of `affected`. Asking it would need a process for each name.
  const packages = NAMES.map((name) => ({ name, dir: folderOf(name) }));
  await writeFiles(dir, {
    "../affected.json": json({ version: 1, root: "root", packages }),
  });
  for (const name of NAMES)
    await dispatch("plan", "--affected=../affected.json", `--explain=${name}`);
  const exec = ["exec", "--job=all", "--plan=../plan.json"];
  expect(await dispatch(...exec, "--attestations=../att")).toBe(1);
  const verdict = ["verdict", "--plan=../plan.json", "--attestations=../att"];
  expect(await dispatch(...verdict, "--junit=../junit.xml")).toBe(1);

  const text = output.join("");
  expect(text).toContain("$(touch pwned)#test");
  const foreign = commandsOf(text).filter(
    (line) =>
      !/^::(?:group::[✓✗] |endgroup::$|error(?: title=[^:,]*)?::✗ )/.test(line),
  );
  expect(foreign).toEqual([]);
  expect(text.replaceAll("\n", "")).not.toMatch(/\p{Cc}|\u202e/u);
  const folders = [dir, ...NAMES.map(folderOf)];
  expect(folders.filter((folder) => existsSync(join(folder, "pwned")))).toEqual(
    [],
  );
  const outputs = (await readFile(file("output"), "utf8")).matchAll(
    /^([\w-]+)<<(\S+)\n.*\n\2$/gm,
  );
  expect(new Set([...outputs].map(([, name]) => name))).toEqual(
    new Set([
      ...["matrix", "any", "application", "any-application"],
      ...["packages", "any-packages", "limits", "plan", "traces"],
      ...["verdict", "exit-code", "inline", "settled"],
    ]),
  );
  const summary = await readFile(file("summary.md"), "utf8");
  expect(summary.replaceAll("\n", "")).not.toMatch(/\p{Cc}|\u202e/u);
  // Text in a code span has no other effect.
  const rendered = summary.replaceAll(/(`+)[^\n]*?[^`]\1(?!`)/g, "");
  expect(rendered).not.toMatch(/@octo|<img|https:\/\/|\]\(/);
  expect(summary).not.toMatch(/^\s*::/m);
});
