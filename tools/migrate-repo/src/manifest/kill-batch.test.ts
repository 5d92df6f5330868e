import { spawnSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { buildHistory, gitIn, gitTestEnv, json } from "@skein/testing";
import {
  buildPair,
  libFiles,
  migrate,
  type Pair,
  writeManifest,
} from "../migrate.test.kit.js";

const kit = new URL("../migrate.test.kit.js", import.meta.url).href;

/** A process that kills itself before a step of the landing of the second repository, while the others are prepared. */
const KILLED = `
  import { spawnSync } from "node:child_process";
  import { migrate } from ${JSON.stringify(kit)};
  const [step, manifest] = process.argv.slice(1);
  let landings = 0;
  await migrate(process.cwd(), ["apply", manifest], {
    checkpoint: (at) => {
      if (at === "objects") landings += 1;
      if (landings !== 2 || at !== step) return;
      spawnSync("pkill", ["-KILL", "-P", String(process.pid)]);
      process.kill(process.pid, "SIGKILL");
    },
  });
`;

const NAMES = ["one", "two", "three", "four"];

async function batch(pair: Pair): Promise<string> {
  for (const name of NAMES) {
    const dir = join(pair.dir, name);
    await mkdir(dir);
    buildHistory(dir, [
      { files: { "package.json": json({ name: `@acme/${name}` }) } },
      { files: { [`${name}.js`]: "1" }, tags: ["v1.0.0"] },
    ]);
  }
  return writeManifest(
    pair,
    NAMES.map((name) => ({ source: `../${name}` })),
  );
}

test.each(["objects", "files", "index"])(
  "a batch killed before %s of its second landing continues there",
  async (step) => {
    await using pair = await buildPair([{ files: libFiles }]);
    const manifest = await batch(pair);
    const { signal } = spawnSync(
      "node",
      ["--input-type=module", "--eval", KILLED, step, manifest],
      { cwd: pair.target, env: gitTestEnv },
    );
    expect(signal).toBe("SIGKILL");
    const again = await migrate(pair.target, ["apply", manifest]);
    expect(again.code).toBe(0);
    expect(gitIn(pair.target, "log", "--first-parent", "--format=%s")).toBe(
      [
        ...NAMES.toReversed().map(
          (name) => `Migrate ${name} to packages/${name}`,
        ),
        "commit 1",
        "",
      ].join("\n"),
    );
    expect(gitIn(pair.target, "status", "--porcelain", "--ignored")).toBe("");
    expect(gitIn(pair.target, "fsck", "--strict", "--no-dangling")).toBe("");
    expect(gitIn(pair.target, "tag").trim().split("\n").sort()).toEqual(
      NAMES.map((name) => `@acme/${name}@1.0.0`).sort(),
    );
    expect(await migrate(pair.target, ["abort"])).toMatchObject({ code: 2 });
  },
);
