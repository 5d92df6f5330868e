import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { execFile, spawn } from "node:child_process";
import { cp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  json,
  tempDir,
  writeFiles,
  yarnIn,
  yarnPath,
  yarnTestEnv,
} from "@skein/testing";

const plugin = fileURLToPath(new URL("../plugin.cjs", import.meta.url));

/** A tool that prints its input, and waits for a signal if its arguments ask for that. */
const main = `
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
console.log(JSON.stringify({
  args: process.argv.slice(2), cwd: process.cwd(), initCwd: process.env.INIT_CWD,
  agent: process.env.npm_config_user_agent.split(" ")[0], yarn: process.env.npm_execpath,
  stdin: Buffer.concat(chunks).toString(),
}));
console.error("words");
process.exitCode = await new Promise((resolve) => {
  if (process.argv[2] !== "wait") return resolve(7);
  const timer = setInterval(() => {}, 1000);
  for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => {
    console.log(name);
    clearInterval(timer);
    setTimeout(resolve, 100, 42);
  });
  console.log("waiting");
});
`;

function tool(home: string): Record<string, string> {
  return {
    [`${home}/package.json`]: json({
      name: "@skein/affected",
      version: "1.0.0",
      type: "module",
      bin: "bin/affected.js",
    }),
    [`${home}/bin/affected.js`]: 'import "../dist/main.js";\n',
    [`${home}/dist/main.js`]: main,
  };
}

interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs Yarn and waits for its end. It sends the signal as soon as the tool reports that it waits. */
function yarn(
  cwd: string,
  args: readonly string[],
  signal?: NodeJS.Signals,
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [yarnPath, ...args], {
      cwd,
      env: yarnTestEnv(),
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      if (signal && text.includes("waiting")) child.kill(signal);
    });
    child.stderr
      .setEncoding("utf8")
      .on("data", (text: string) => (stderr += text));
    child.on("close", (exitCode) => resolve({ exitCode, stdout, stderr }));
    child.stdin.end("from stdin");
  });
}

describe.each(["node-modules", "pnp"])("with the linker %s", (linker) => {
  let root: string;
  let dispose: () => Promise<void>;
  beforeAll(async () => {
    const dir = await tempDir("skein plugin ");
    dispose = async () => dir[Symbol.asyncDispose]();
    root = dir.path;
    await writeFiles(root, {
      ...tool("vendor"),
      "package.json": json({
        name: "root",
        private: true,
        workspaces: ["packages/*"],
        devDependencies: { "@skein/affected": "file:./vendor" },
      }),
      "packages/a/package.json": json({ name: "a" }),
      "packages/a/src/x": "",
      "yarn.lock": "",
      ".yarnrc.yml": `nodeLinker: ${linker}\nenableGlobalCache: false\nplugins:\n  - ${plugin}\n`,
    });
    await yarnIn(root, "install");
  });
  afterAll(() => dispose());

  test("passes on arguments, folder, standard streams and exit code", async () => {
    const args = [
      "run",
      "a b",
      "",
      "--help",
      "-h",
      "--cwd",
      "x",
      "--",
      "$HOME",
    ];
    const { exitCode, stdout, stderr } = await yarn(
      join(root, "packages/a/src"),
      ["affected", ...args],
    );
    expect({ exitCode, stderr: stderr.replace(/^\(.*\n/gm, "") }).toEqual({
      exitCode: 7,
      stderr: "words\n",
    });
    expect(JSON.parse(stdout)).toEqual({
      args,
      cwd: join(root, "packages/a/src"),
      initCwd: join(root, "packages/a/src"),
      agent: "yarn/4.18.1",
      yarn: yarnPath,
      stdin: "from stdin",
    });
  });

  test.each(["SIGINT", "SIGTERM"] as const)(
    "only the tool handles %s, once",
    async (signal) => {
      const { exitCode, stdout } = await yarn(
        root,
        ["affected", "wait"],
        // A terminal sends Ctrl-C to the tool as well. Here only Yarn could forward it, and with PnP it doesn't.
        linker === "pnp" ? "SIGTERM" : signal,
      );
      expect(exitCode).toBe(42);
      expect(stdout).toContain(linker === "pnp" ? "SIGTERM\n" : `${signal}\n`);
    },
  );

  test("does not load the project, so broken packages elsewhere don't matter", async () => {
    await writeFiles(root, { "packages/broken/package.json": "{" });
    const { exitCode } = await yarn(root, ["affected"]);
    expect(exitCode).toBe(7);
  });

  test("works after Yarn's own option --cwd", async () => {
    const { exitCode, stdout } = await yarn(join(root, "packages"), [
      ...["--cwd", join(root, "packages/a")],
      ...["affected", "--cwd", "x"],
    ]);
    expect({ exitCode, ...(JSON.parse(stdout) as object) }).toMatchObject({
      exitCode: 7,
      args: ["--cwd", "x"],
      cwd: join(root, "packages/a"),
    });
  });

  test("if a tool isn't installed, the message contains the command that installs it", async () => {
    expect(await yarn(root, ["ci-dispatch", "plan"])).toEqual({
      exitCode: 3,
      stdout: "",
      stderr:
        "@skein/ci-dispatch is not installed here; run: yarn add --dev @skein/ci-dispatch\n",
    });
  });
});

test("if a tool of this checkout isn't built, the message contains the command that builds it; `yarn install` works before the build", async () => {
  await using dir = await tempDir();
  await writeFiles(dir.path, {
    ...tool("tools/affected"),
    "package.json": json({
      name: "root",
      private: true,
      workspaces: ["tools/*"],
    }),
    "yarn.lock": "",
    ".yarnrc.yml": "nodeLinker: node-modules\nplugins:\n  - ./plugin.cjs\n",
  });
  await rm(join(dir.path, "tools/affected/dist"), { recursive: true });
  await cp(plugin, join(dir.path, "plugin.cjs"));
  await yarnIn(dir.path, "install");
  expect(await yarn(dir.path, ["affected"])).toEqual({
    exitCode: 3,
    stdout: "",
    stderr: "affected is not built yet; run: yarn install && yarn build\n",
  });
});

/** Returns a tool whose bin is CommonJS and exports a promise. */
function commonJsTool(home: string): Record<string, string> {
  return {
    [`${home}/package.json`]: json({
      name: "@skein/migrate-repo",
      version: "1.0.0",
      type: "module",
      bin: "bin/migrate-repo.js",
    }),
    [`${home}/bin/package.json`]: json({ type: "commonjs" }),
    [`${home}/bin/migrate-repo.js`]:
      "module.exports = new Promise((go) => setTimeout(go, 50)).then(() => { console.log(process.argv[2], 'x'.repeat(1e6)); process.exitCode = 5; });",
    [`${home}/dist/main.js`]: "",
  };
}

test("the project's own Yarn runs the tool, and child processes get no variable about it", async () => {
  await using dir = await tempDir();
  const own = join(dir.path, "own-yarn.cjs");
  await writeFiles(dir.path, {
    ...tool("node_modules/@skein/affected"),
    "node_modules/@skein/affected/dist/main.js":
      "console.log(process.env.npm_execpath, process.env.YARN_IGNORE_PATH);",
    "package.json": json({ name: "root", private: true }),
    "yarn.lock": "",
    "own-yarn.cjs": `require(${JSON.stringify(yarnPath)});\n`,
    ".yarnrc.yml": `yarnPath: ./own-yarn.cjs\nplugins:\n  - ${plugin}\n`,
  });
  expect(await yarn(dir.path, ["affected"])).toEqual({
    exitCode: 0,
    stdout: `${own} undefined\n`,
    stderr: "",
  });
});

test("a program that only loads the plugin, with the same arguments, starts nothing", async () => {
  const program = `
    const { factory } = require(${JSON.stringify(plugin)});
    const parts = { clipanion: { Command: class {}, Option: { Proxy() {} } }, "@yarnpkg/core": {} };
    const { commands } = factory((name) => parts[name] ?? require(name));
    console.log(commands.map(({ paths }) => paths).join());`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...["-e", program],
    ...["--", "its-name", "affected"],
  ]);
  expect(stdout).toBe("affected,migrate-repo,ci-dispatch\n");
});

test("`yarn plugin import` accepts it", async () => {
  await using dir = await tempDir();
  await writeFiles(dir.path, {
    ...tool("node_modules/@skein/affected"),
    ...commonJsTool("node_modules/@skein/migrate-repo"),
    "package.json": json({ name: "root", private: true }),
    "yarn.lock": "",
  });
  await yarnIn(dir.path, "plugin", "import", plugin);
  expect(await readFile(join(dir.path, ".yarnrc.yml"), "utf8")).toContain(
    "@skein/yarn-plugin",
  );
  expect((await yarn(dir.path, ["affected"])).exitCode).toBe(7);
  const { exitCode, stdout } = await yarn(dir.path, ["migrate-repo", "a b"]);
  // More than a pipe can buffer.
  expect({ exitCode, stdout }).toEqual({
    exitCode: 5,
    stdout: `a b ${"x".repeat(1e6)}\n`,
  });
});
