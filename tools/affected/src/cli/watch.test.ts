import { EventEmitter, once } from "node:events";
import { readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { affected } from "../run.js";
import { runCli } from "@skein/reporting";
import { gitTestEnv, json, writeFiles } from "@skein/testing";
import { shopWithChange } from "./affected.test.kit.js";

/** Starts `affected watch test`. */
function watching(cwd: string, ...argv: string[]) {
  const printed = new EventEmitter();
  const end = new AbortController();
  let text = "";
  const write = (more: string) => {
    text += more;
    printed.emit("more");
  };
  const exitCode = runCli(
    "affected",
    {
      argv: ["watch", "test", ...argv],
      ...{ cwd, env: { ...gitTestEnv, CI: "1" }, stdin: [] as never },
      stdout: { write },
      stderr: { write },
      now: () => performance.now(),
      ...{ signal: end.signal, node: process, token: () => "token" },
    },
    affected,
  );
  return {
    exitCode,
    end,
    /** Waits until the output since the last call matches a pattern. @returns the output up to the end of the match */
    until: async (pattern: RegExp): Promise<string> => {
      for (;;) {
        const found = pattern.exec(text);
        if (found) {
          const before = text.slice(0, found.index + found[0].length);
          text = text.slice(before.length);
          return before;
        }
        await once(printed, "more");
      }
    },
  };
}

/** Returns whether a process runs. It recognises zombies, because many containers have no process that reaps them. */
function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    return !readFileSync(`/proc/${id}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}

test("runs the affected packages, and reruns those that a saved file affects", async () => {
  await using dir = await shopWithChange();
  const { until, end, exitCode } = watching(dir.path);
  const file = (path: string) => join(dir.path, path);
  await until(/waiting for changes/);

  await writeFile(file("packages/core/index.js"), "export const price = 9;\n");
  await until(/3 scripts: 3 passed[^]*waiting for changes/);

  await writeFile(file("packages/ui/index.js"), "import '@shop/core'; // 1\n");
  expect(await until(/waiting for changes/)).toMatch(
    /^[^]*saved packages\/ui\/index.js: 2 packages affected\n[^]*2 scripts: 2 passed/,
  );

  // A file that git ignores isn't anybody's source.
  await writeFiles(dir.path, { ".gitignore": "log\n" });
  await until(/saved .gitignore: [^]*waiting for changes/);
  await writeFiles(dir.path, { "packages/ui/log": "x" });

  // First an import that no manifest declares, then the file that it names. Skein finds the edge although it isn't
  // committed.
  await writeFile(
    file("packages/alone/index.js"),
    "import '../core/index.js';\n",
  );
  expect(await until(/waiting for changes/)).toContain(
    "saved packages/alone/index.js: 1 package affected",
  );
  await writeFile(file("packages/core/index.js"), "export const price = 3;\n");
  expect(await until(/waiting for changes/)).toContain(
    "saved packages/core/index.js: 4 packages affected",
  );

  // The file has its content of HEAD again, which differs from that of the last run.
  await writeFile(file("packages/core/index.js"), "export const price = 1;\n");
  expect(await until(/waiting for changes/)).toContain("4 packages affected");
  await rm(file("packages/alone/index.js"));
  expect(await until(/waiting for changes/)).toContain("1 package affected");

  end.abort();
  expect(await exitCode).toBe(0);
});

test("an outdated run is cancelled; Ctrl-C ends the scripts and the command", async () => {
  await using dir = await shopWithChange();
  const manifest = (script: string) => ({
    "packages/core/package.json": json({
      name: "@shop/core",
      version: "1.0.0",
      scripts: { test: script },
    }),
  });
  await writeFiles(dir.path, manifest("node hang.cjs"));
  await writeFiles(dir.path, {
    "packages/core/hang.cjs": `require("fs").writeFileSync("../../started-" + process.pid, ""); setInterval(() => 0, 1000);`,
    ".gitignore": "started-*\n",
  });
  const { until, end, exitCode } = watching(dir.path, "--filter", "@shop/core");
  const { watch } = await import("chokidar");
  const starts = watch(dir.path, { depth: 0 });
  const started = async () => {
    for (;;) {
      const [path] = (await once(starts, "add")) as [string];
      const id = /started-(\d+)$/.exec(path)?.[1];
      if (id !== undefined) return Number(id);
    }
  };
  const first = await started();
  const next = started();
  await writeFile(join(dir.path, "packages/core/index.js"), "export {};\n");
  await until(/saved packages\/core\/index.js: 1 package affected/);
  const second = await next;
  expect(isAlive(first)).toBe(false);
  end.abort();
  expect(await exitCode).toBe(0);
  expect(isAlive(second)).toBe(false);
  await starts.close();
});
