import {
  existsSync,
  lstatSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  test,
} from "@jest/globals";
import {
  artifactServer,
  buildHistory,
  gitIn,
  json,
  rootManifest,
  suiteDir,
  writeFiles,
} from "@skein/testing";
import type { Files } from "@skein/testing";
import { run } from "../cli/affected.test.kit.js";
import { misfits } from "../schemas.test.support.js";

/** Returns a script that records in a file outside of the repository that it ran. */
const ran = (name: string) => `echo ${name} >> "$RAN"`;

const manifest = (
  name: string,
  scripts: Record<string, string>,
  dependencies: Record<string, string> = {},
) => json({ name, version: "1.0.0", scripts, dependencies });

/** app needs the build of lib, which writes dist; alone has neither. */
const files: Files = {
  ".gitignore": "dist\nnode_modules\n.env.local\n",
  "package.json": rootManifest("root"),
  "skein.json": json({
    pipeline: { test: ["build"], build: ["^build"] },
    cache: { build: { outputs: ["dist/**"] }, never: false },
  }),
  "packages/app/package.json": manifest(
    "@m/app",
    {
      test: `cat src.js && ${ran("app")}`,
      never: ran("never"),
    },
    { "@m/lib": "workspace:^" },
  ),
  "packages/app/src.js": "app\n",
  "packages/lib/package.json": manifest("@m/lib", {
    build: `mkdir -p dist/bin && cp src.js dist/src.js && cp src.js dist/bin/run && chmod 755 dist/bin/run && ln -sf ../src.js dist/bin/link && ${ran("lib-build")}`,
    test: `cat dist/src.js && ${ran("lib")}`,
  }),
  "packages/lib/src.js": "lib\n",
  "packages/alone/package.json": manifest("@m/alone", {
    test: `cat src.js && ${ran("alone")}`,
  }),
  "packages/alone/src.js": "alone\n",
};

const dir = await suiteDir(afterAll);
let root: string;
let ranFile: string;
let cache: string;

beforeAll(async () => {
  root = join(dir, "repository");
  ranFile = join(dir, "ran");
  await writeFiles(dir, { "repository/x": "" });
  rmSync(join(root, "x"));
  buildHistory(root, [{ files }]);
  gitIn(root, "checkout", "--quiet", "main");
});

let worlds = 0;
beforeEach(() => {
  gitIn(root, "reset", "--quiet", "--hard", "main");
  gitIn(root, "clean", "--quiet", "-ffdx");
  cache = join(dir, `cache-${String(++worlds)}`);
});

interface Seen {
  readonly exitCode: number;
  /** The scripts that really ran. */
  readonly ran: string[];
  /** The scripts that were replayed, according to the summary. */
  readonly replayed: string[];
  /** The messages about the cache. */
  readonly output: string[];
  /** The last line, without the time. */
  readonly summary: string;
  readonly stdout: string;
}

async function affected(argv: string, env = {}, cwd = root): Promise<Seen> {
  rmSync(ranFile, { force: true });
  const { exitCode, stdout, stderr } = await run(
    { cwd, env: { SKEIN_CACHE_DIR: cache, RAN: ranFile, ...env } },
    ...argv.split(" "),
  );
  const names = existsSync(ranFile) ? readFileSync(ranFile, "utf8") : "";
  return {
    ...{ exitCode, stdout },
    ran: names.split("\n").filter(Boolean).sort(),
    replayed: [...stdout.matchAll(/^✓ (\S+) replayed from/gm)]
      .map(([, id = ""]) => id)
      .sort(),
    summary: /^\d+ scripts?: .*(?=, in )/m.exec(stdout)?.[0] ?? "",
    output: stderr.split("\n").filter((line) => line.startsWith("cache: ")),
  };
}

const write = (path: string, content: string) =>
  writeFileSync(join(root, path), content);

const EVERYTHING = [
  "@m/alone#test",
  "@m/app#test",
  "@m/lib#build",
  "@m/lib#test",
];
const ALL_RAN = ["alone", "app", "lib", "lib-build"];

test("passed scripts are replayed (status, duration, output, reports); --force and --no-cache run them", async () => {
  const first = await affected("test --all --output full --json");
  expect(first).toMatchObject({ exitCode: 0, ran: ALL_RAN, output: [] });
  const again = await affected(
    "test --all --output full --json --junit ../junit.xml",
  );
  expect(again).toMatchObject({ exitCode: 0, ran: [], output: [] });
  const units = ({ stdout }: Seen) =>
    (
      JSON.parse(stdout) as {
        readonly units: readonly Record<string, unknown>[];
      }
    ).units;
  const commit = gitIn(root, "rev-parse", "HEAD").trim();
  const at = expect.stringMatching(/^\d{4}-.*Z$/) as unknown;
  const isRun = { started: false, via: null, replayed: { commit, at } };
  expect(units(again)).toEqual(
    units(first).map((unit) =>
      unit["status"] === "no-script" ? unit : { ...unit, ...isRun },
    ),
  );
  const junit = readFileSync(join(dir, "junit.xml"), "utf8");
  expect(
    junit.match(/<property name="replayed" value="replayed from/g),
  ).toHaveLength(4);
  expect((await affected("test --all --force")).ran).toEqual(ALL_RAN);
  expect((await affected("test --all --no-cache")).ran).toEqual(ALL_RAN);
  expect((await affected("test --all --dry-run")).stdout).toMatch(
    /^@m\/lib#build: mkdir .*\(replayed from [0-9a-f]{7}, .* UTC\)$/m,
  );
  expect((await affected("run never --all")).ran).toEqual(["never"]);
  expect((await affected("run never --all")).ran).toEqual(["never"]);
});

test("a clone replays results of another clone, and restores outputs exactly", async () => {
  expect((await affected("test --all")).ran).toEqual(ALL_RAN);
  const clone = join(dir, "clone");
  gitIn(dir, "clone", "--quiet", root, clone);
  expect(await affected("test --all", {}, clone)).toMatchObject({
    ran: [],
    replayed: EVERYTHING,
    summary: "4 scripts: 4 replayed",
  });
  const dist = join(clone, "packages/lib/dist");
  expect(readFileSync(join(dist, "src.js"), "utf8")).toBe("lib\n");
  expect(statSync(join(dist, "bin/run")).mode & 0o777).toBe(0o755);
  expect(lstatSync(join(dist, "bin/link")).isSymbolicLink()).toBe(true);
  writeFileSync(join(dist, "stale.js"), "");
  rmSync(join(dist, "bin"), { recursive: true });
  expect((await affected("test --all", {}, clone)).ran).toEqual([]);
  expect(readdirSync(dist).sort()).toEqual(["bin", "src.js"]);
});

test("only scripts that passed cleanly with unchanged inputs are stored", async () => {
  const scripts: Record<string, string> = {
    fails: "exit 1",
    killed: `node -e "process.kill(process.pid, 'SIGKILL')"`,
    behind: `node -e "require('child_process').spawn('sleep', ['60'], { stdio: 'inherit' }).unref()"`,
    edits: "echo more >> src.js",
    restores: "mv src.js y && sleep 0.02 && cp y src.js && rm y",
    fine: "true",
  };
  for (const [name, script] of Object.entries(scripts))
    await writeFiles(root, {
      [`packages/${name}/package.json`]: manifest(`@bad/${name}`, {
        test: `${ran(name)}; ${script}`,
      }),
      [`packages/${name}/src.js`]: "",
    });
  const names = Object.keys(scripts).sort();
  const first = await affected("test --all --filter @bad/*");
  expect(first).toMatchObject({ exitCode: 1, ran: names });
  expect(first.output.sort()).toEqual([
    "cache: not stored: @bad/behind#test: processes that it left running were ended",
    "cache: not stored: @bad/edits#test: its inputs changed while it ran",
    "cache: not stored: @bad/restores#test: packages/restores/src.js was written while it ran",
  ]);
  expect((await affected("test --all --filter @bad/*")).ran).toEqual(
    names.filter((name) => name !== "fine"),
  );
});

test("only scripts that depend on a change run", async () => {
  const all = async (more = "") => (await affected(`test --all${more}`)).ran;
  expect(await all()).toEqual(ALL_RAN);
  write("packages/alone/src.js", "other\n");
  expect(await all()).toEqual(["alone"]);
  write("packages/alone/new.js", "");
  expect(await all()).toEqual(["alone"]);
  write(
    "packages/alone/package.json",
    manifest("@m/alone", { test: ` ${ran("alone")}` }),
  );
  expect(await all()).toEqual(["alone"]);
  write("packages/lib/src.js", "other\n");
  expect(await all()).toEqual(["app", "lib", "lib-build"]);
  const english = await affected("test --all", { LANG: "en" });
  expect(english.ran).toEqual(["alone", "app", "lib", "lib-build"]);
  expect(await all(" -- x")).toEqual(["alone x", "app x", "lib x"]);
  gitIn(root, "reset", "--quiet", "--hard", "main");
  gitIn(root, "clean", "--quiet", "-ffdx");
  expect(await all()).toEqual([]);
});

describe("a cache that is", () => {
  const files = (folder: string) =>
    readdirSync(join(cache, "results/v1", folder), {
      recursive: true,
      encoding: "utf8",
    })
      .map((name) => join(cache, "results/v1", folder, name))
      .filter((file) => statSync(file).isFile());

  test("damaged is a miss with one warning", async () => {
    await affected("test --all");
    for (const file of files("entries")) truncateSync(file, 0);
    expect(await affected("test --all")).toMatchObject({
      ran: ALL_RAN,
      output: [
        "cache: not replayed: @m/alone#test, @m/lib#build, @m/app#test, @m/lib#test: the stored results are damaged",
      ],
    });
    for (const file of files("blobs")) writeFileSync(file, "evil");
    rmSync(join(root, "packages/lib/dist"), { recursive: true });
    expect(await affected("test --all")).toMatchObject({
      ran: ["lib-build"],
      output: [
        "cache: not replayed: @m/lib#build: the stored result is damaged",
      ],
    });
    expect((await affected("test --all")).ran).toEqual([]);
  });

  test("too large is pruned, and `cache` shows, prunes and clears it", async () => {
    await affected("test --all");
    const show = async (argv: string) => {
      const answer: unknown = JSON.parse(
        (await affected(`cache ${argv} --json`)).stdout,
      );
      expect(misfits("cache", answer)).toEqual([]);
      return answer;
    };
    const bytes = files(".").reduce(
      (sum, file) => sum + statSync(file).size,
      0,
    );
    expect(await show("status")).toMatchObject({
      ...{ version: 1, results: 4, bytes, boundBytes: 5 * 2 ** 30 },
      folder: join(cache, "results/v1"),
    });
    for (const file of files(".")) utimesSync(file, 1, 1);
    expect(await show("prune --max-size 1KiB")).toMatchObject({ results: 0 });
    await affected("test --all", { SKEIN_CACHE_SIZE: "1" });
    expect(await show("status")).toMatchObject({ results: 0 });
    expect((await affected("cache clear")).stdout).toMatch(
      /: 0 results, 0 files, 0 B of at most 5\.0 GiB\ndeleted: 0 files, 0 B\n$/,
    );
    expect(await affected("cache empty")).toMatchObject({ exitCode: 2 });
  });

  test("read-only changes no verdict", async () => {
    writeFileSync(cache, "no folder");
    const none = await affected("test --all", { SKEIN_CACHE_SIZE: "0" });
    expect(none).toMatchObject({ exitCode: 0, ran: ALL_RAN, output: [] });
    const { exitCode, ran, output } = await affected("test --all");
    expect([exitCode, ran]).toEqual([0, ALL_RAN]);
    expect(output).toEqual([
      expect.stringMatching(/^cache: results could not be stored: ENOTDIR/),
    ]);
  });
});

test("another machine replays results from a server, and scripts don't see its credentials", async () => {
  await using server = await artifactServer();
  const env = {
    SKEIN_CACHE_URL: server.url,
    SKEIN_CACHE_TOKEN: "t0ken",
    SKEIN_CACHE_SIGNATURE_KEY: "secret-key",
    API_TOKEN: "hidden-value",
  };
  write(
    "packages/alone/package.json",
    manifest("@m/alone", { test: `env && ${ran("alone")}` }),
  );
  gitIn(root, "checkout", "--quiet", "-b", "server");
  gitIn(root, "commit", "--quiet", "--all", "--message", "server");
  const first = await affected("test --all --output full", env);
  expect(first.ran).toEqual(ALL_RAN);
  expect(first.stdout).not.toMatch(/t0ken|secret-key|SKEIN_CACHE_U/);
  expect(first.stdout).toContain("hidden-value");
  cache = `${cache}-other`;
  gitIn(root, "clean", "--quiet", "-ffdx");
  const other = await affected("test --all --output full", env);
  expect(other).toMatchObject({ ran: [], replayed: EVERYTHING, output: [] });
  expect(other.stdout).toContain("API_TOKEN=***");
  // The fingerprints came from the server too, so no source was read.
  expect(readdirSync(cache).filter((name) => name.startsWith("ref"))).toEqual(
    [],
  );
  server.answer = (_, response) => response.writeHead(500).end();
  cache = `${cache}-third`;
  expect(await affected("test --all", env)).toMatchObject({
    exitCode: 0,
    ran: ALL_RAN,
    output: [
      "cache: the server of SKEIN_CACHE_URL was not used: it answered 500",
    ],
  });
});
