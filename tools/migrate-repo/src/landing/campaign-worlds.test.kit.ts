import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { gitIn, json } from "@skein/testing";
import {
  buildPair,
  historyOnly,
  libFiles,
  migrate,
  workspaceFiles,
  type Pair,
} from "../migrate.test.kit.js";
import { steps } from "../steps/index.js";
import type { Killable } from "./campaign.test.kit.js";

/** The workspaces in which commands are killed, and a way to reset each of them. */
export interface Worlds extends AsyncDisposable {
  readonly pair: Pair;
  readonly commands: readonly Killable[];
  /** Resets source and workspace to the state before a command. */
  restore(command: Killable): Promise<void>;
}

const KEPT = ["lib", "target"];

/**
 * Builds one workspace for each command: a migration that creates a folder, replaces a file and makes tags; a batch; an
 * undo; a sync; and a sync with conflicts.
 * @param full whether to include the clean-up and the registration
 */
export async function buildWorlds(full: boolean): Promise<Worlds> {
  const pair = await buildPair(
    [
      {
        files: { ...libFiles, ".mailmap": "Ada <a@b.example> <c@d.example>\n" },
        tags: ["v1.0.0"],
      },
      { files: { "lib/deep.js": "1\n" } },
    ],
    [{ files: { ...workspaceFiles, ".mailmap": "" } }],
  );
  const options = full ? [] : historyOnly.filter((id) => id !== "mailmap");
  const add = ["add", "../lib", ...options];
  const write = (dir: string, path: string, text: string) => {
    writeFileSync(join(dir, path), text);
    gitIn(dir, "add", path);
    gitIn(dir, "commit", "--quiet", "--message", `write ${path}`);
  };
  const manifest = join(pair.dir, "migrations.json");
  const skip = steps.map(({ id }) => id);
  writeFileSync(
    manifest,
    json({
      version: 1,
      ...(!full && { defaults: { register: false, skip } }),
      repositories: [{ source: "./lib" }],
    }),
  );
  const commands: Killable[] = [];
  const save = (name: string, argv: readonly string[]) => {
    commands.push({ name, argv });
    for (const part of KEPT)
      spawnSync("cp", [
        "-a",
        join(pair.dir, part),
        join(pair.dir, `${name}-${part}`),
      ]);
  };
  save("add", add);
  save("apply", ["apply", "../migrations.json"]);
  const { code, stderr } = await migrate(pair.target, add);
  if (code !== 0) throw new Error(stderr);
  save("undo", ["undo", "lib"]);
  write(pair.source, "more.js", "more\n");
  save("sync", ["sync", "lib"]);
  write(pair.source, "index.js", "theirs\n");
  write(pair.target, "packages/lib/index.js", "ours\n");
  save("conflict", ["sync", "lib"]);
  return {
    pair,
    commands,
    async restore({ name }) {
      for (const part of KEPT) {
        const dir = join(pair.dir, part);
        await rm(dir, { recursive: true, maxRetries: 3 });
        spawnSync("cp", ["-a", join(pair.dir, `${name}-${part}`), dir]);
      }
    },
    [Symbol.asyncDispose]: () => pair[Symbol.asyncDispose](),
  };
}
