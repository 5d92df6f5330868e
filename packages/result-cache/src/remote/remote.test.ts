import { join } from "node:path";
import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  test,
} from "@jest/globals";
import { artifactServer, tempDir, type ArtifactServer } from "@skein/testing";
import { blobsOf, encodeResult, resultKey } from "../kept-result.js";
import type { KeptResult, Wanted } from "../kept-result.js";
import { Store } from "../store.js";
import { Remote } from "./remote.js";
import { remoteSettings } from "./remote-settings.js";

let dir: Awaited<ReturnType<typeof tempDir>>;
let server: ArtifactServer;
let made = 0;

beforeAll(async () => {
  dir = await tempDir();
  server = await artifactServer();
});
beforeEach(() => {
  Object.assign(server, {
    ...{ asked: [], artifacts: new Map(), answer: undefined },
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await dir[Symbol.asyncDispose]();
});

type Answer = NonNullable<ArtifactServer["answer"]>;

interface Machine {
  readonly store: Store;
  readonly remote: Remote;
}

/** Returns a machine with an empty store. */
function machine({
  own = "local",
  key = "secret",
  mode = "",
  reads,
}: {
  readonly own?: string;
  readonly key?: string;
  readonly mode?: string;
  readonly reads?: readonly string[];
} = {}): Machine {
  const settings = remoteSettings({
    SKEIN_CACHE_URL: `${server.url}/`,
    SKEIN_CACHE_TOKEN: "t0ken",
    SKEIN_CACHE_TEAM: "acme",
    SKEIN_CACHE_SIGNATURE_KEY: key,
    SKEIN_CACHE_MODE: mode,
  });
  if (typeof settings !== "object") throw new Error(settings);
  const now = () => performance.now();
  const unique = () => `draft${String(++made)}`;
  const store = new Store({
    ...{ dir: join(dir.path, String(++made)), key, now, unique },
  });
  const scope = { own, reads: reads ?? [own, "default"] };
  return {
    store,
    remote: new Remote({ settings, store, scope, now, budgetMs: 5_000 }),
  };
}

const want = (unit: string): Wanted => ({
  ...{ unit, fingerprint: `f-${unit}`, outputs: [], maxAgeSeconds: undefined },
});

const units = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `@m/p${String(from + at)}#test`);

/** Caches a unit in a machine's store, as a run does. */
function keep({ store }: Machine, unit: string, scope = "local", text = "") {
  const content = Buffer.from(`output of ${unit}${text}`);
  const hash = store.putBytes(content);
  const result: KeptResult = {
    ...{ version: 1, unit, scope, fingerprint: `f-${unit}`, commit: "c1" },
    ...{ at: 1, durationMs: 1, via: "shell" },
    log: { text: `${unit} works\n`, bytes: 1, blob: null },
    outputs: [
      {
        kind: "file",
        path: "dist/a",
        mode: 0o644,
        bytes: content.length,
        hash,
      },
    ],
  };
  const key = resultKey(scope, want(unit));
  store.write(key, encodeResult(result), blobsOf(result));
  return key;
}

/** Returns the units whose complete results a machine has in a scope. */
const has = ({ store }: Machine, names: readonly string[], scope = "local") =>
  names.filter((unit) => {
    const read = store.read(resultKey(scope, want(unit)));
    if (read?.kind !== "open") return false;
    const { outputs } = JSON.parse(read.body.toString()) as KeptResult;
    return outputs.every(
      (item) => item.kind !== "file" || store.readBlob(item.hash) !== undefined,
    );
  });

test("100 results are sent in 4 requests and received in 3; only a header contains the token", async () => {
  const names = units(0, 100);
  const writer = machine();
  await writer.remote.send(names.map((name) => keep(writer, name)));
  const query = "/v8/artifacts/ID?slug=acme Bearer t0ken";
  expect(server.asked.splice(0)).toEqual(
    ["PUT", "GET", "PUT", "GET"].map((method) => `${method} ${query}`),
  );
  const reader = machine();
  await reader.remote.fill(names.map(want));
  expect(server.asked.splice(0)).toHaveLength(3);
  expect(has(reader, names)).toEqual(names);
  expect([writer.remote.failure, reader.remote.failure]).toEqual([
    undefined,
    undefined,
  ]);
});

test("results of several runs are received in at most 10 requests, and are then in one artifact", async () => {
  for (let run = 0; run < 4; run++) {
    const writer = machine();
    const names = units(run * 25, run * 25 + 25);
    await writer.remote.send(names.map((name) => keep(writer, name)));
  }
  server.asked = [];
  const names = units(0, 100);
  const reader = machine();
  await reader.remote.fill(names.map(want));
  expect(has(reader, names)).toEqual(names);
  await reader.remote.send([]);
  expect(server.asked.splice(0)).toHaveLength(10);
  const next = machine();
  await next.remote.fill(names.map(want));
  expect(server.asked).toHaveLength(3);
  expect(has(next, names)).toEqual(names);
});

test("a large result is a separate artifact, and is not fetched for a small one", async () => {
  const writer = machine();
  const large = "@m/large#build";
  await writer.remote.send([
    keep(writer, large, "local", "x".repeat(2 ** 20)),
    keep(writer, "@m/small#test"),
  ]);
  const reader = machine();
  await reader.remote.fill([want("@m/small#test")]);
  expect(has(reader, [large, "@m/small#test"])).toEqual(["@m/small#test"]);
  await reader.remote.fill([want(large)]);
  expect(has(reader, [large])).toEqual([large]);
});

test("if two jobs write the index at the same time, both are found", async () => {
  const [a, b] = [machine(), machine()];
  await Promise.all([
    a.remote.send([keep(a, "@m/a#test")]),
    b.remote.send([keep(b, "@m/b#test")]),
  ]);
  const reader = machine();
  const names = ["@m/a#test", "@m/b#test"];
  await reader.remote.fill(names.map(want));
  expect(has(reader, names)).toEqual(names);
});

describe("ignored:", () => {
  const unit = "@m/a#test";
  const filled = async (where: Parameters<typeof machine>[0] = {}) => {
    const reader = machine(where);
    await reader.remote.fill([want(unit)]);
    const scopes = ["local", "default", "pull/7", "pull/8"];
    return scopes.filter((scope) => has(reader, [unit], scope).length > 0);
  };
  const written = async (where: Parameters<typeof machine>[0] = {}) => {
    const writer = machine(where);
    await writer.remote.send([keep(writer, unit, where.own)]);
  };

  test("results of a pull request, on the default branch and in other pull requests", async () => {
    await written({ own: "pull/7" });
    expect(await filled({ own: "default", reads: ["default"] })).toEqual([]);
    expect(await filled({ own: "pull/8" })).toEqual([]);
    expect(await filled()).toEqual([]);
    expect(await filled({ own: "pull/7" })).toEqual(["pull/7"]);
    await written({ own: "default" });
    expect(await filled({ own: "pull/8" })).toEqual(["default"]);
  });

  test("results that were signed with another key", async () => {
    await written({ key: "mine" });
    expect(await filled({ key: "other" })).toEqual([]);
    expect(await filled({ key: "mine" })).toEqual(["local"]);
  });

  test("artifacts that were changed, cut off, swapped or forged", async () => {
    await written();
    const before = [...server.artifacts];
    const lies: ((bytes: Buffer) => Buffer)[] = [
      (bytes) => {
        const changed = Buffer.from(bytes);
        changed[bytes.length - 20] = (changed[bytes.length - 20] ?? 0) ^ 1;
        return changed;
      },
      (bytes) => bytes.subarray(0, bytes.length - 1),
      () => Buffer.from("<html>Please log in</html>"),
      () => Buffer.alloc(0),
    ];
    for (const lie of lies)
      for (const [id, bytes] of before) {
        server.artifacts = new Map(before).set(id, lie(bytes));
        expect(await filled()).toEqual([]);
      }
    const [[first, a], [second, b]] = before as [
      [string, Buffer],
      [string, Buffer],
    ];
    server.artifacts = new Map([
      [first, b],
      [second, a],
    ]);
    expect(await filled()).toEqual([]);
    server.artifacts = new Map(before);
    expect(await filled()).toEqual(["local"]);
  });
});

describe("the first failure ends all requests, with one sentence:", () => {
  const fails = async (how: Answer, budgetMs = 5_000) => {
    server.answer = how;
    const { store } = machine();
    const settings = remoteSettings({
      SKEIN_CACHE_URL: server.url,
      SKEIN_CACHE_SIGNATURE_KEY: "secret",
    });
    if (typeof settings !== "object") throw new Error(settings);
    const remote = new Remote({
      ...{ settings, store, budgetMs, now: () => performance.now() },
      scope: { own: "default", reads: ["default"] },
    });
    await remote.fill([want("@m/a#test")]);
    await remote.send([keep({ store, remote }, "@m/a#test", "default")]);
    return [remote.failure, server.asked.length];
  };

  test.each<[string, Answer, string]>([
    [
      "it fails",
      (_, response) => response.writeHead(500).end("secret words"),
      "it answered 500",
    ],
    [
      "it refuses",
      (_, response) => response.writeHead(403).end(),
      "it answered 403",
    ],
    [
      "it breaks off",
      (request) => request.socket.destroy(),
      "no answer (ECONNRESET)",
    ],
    [
      "it redirects to a file",
      (_, response) =>
        response.writeHead(302, { location: "file:///etc/passwd" }).end(),
      "it redirects to nowhere",
    ],
  ])("%s", async (_, how, words) => {
    expect(await fails(how)).toEqual([words, 1]);
  });

  test("it redirects endlessly", async () => {
    const [words, requests] = await fails((_, response) => {
      response.writeHead(307, { location: "/again" }).end();
    });
    expect([words, requests]).toEqual(["it redirects to nowhere", 6]);
  });

  test("it is full", async () => {
    expect(
      await fails(({ method }, response) => {
        response.writeHead(method === "PUT" ? 507 : 404).end();
      }),
    ).toEqual(["it answered 507", 2]);
  });

  test("it never answers", async () => {
    const [words, requests] = await fails(() => undefined, 50);
    expect(words).toBe("it took more than 0.05 s");
    // On a busy machine, the time limit may end before the request arrives.
    expect(requests).toBeLessThan(2);
  });

  test("its answer never ends", async () => {
    const drip: Answer = (_, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write("x"), 5);
      response.on("close", () => clearInterval(timer));
    };
    const [words, requests] = await fails(drip, 100);
    expect(words).toBe("it took more than 0.1 s");
    expect(requests).toBeLessThan(2);
  });
});

test("facts about a tree are shared within a scope, and are fetched together with the index", async () => {
  const writer = machine();
  const bytes = Buffer.from("fingerprints");
  expect(await writer.remote.readFacts("tree 1")).toBe(undefined);
  writer.remote.offerFacts("tree 1", bytes);
  await writer.remote.send([keep(writer, "@m/a#test")]);
  server.asked.length = 0;
  const reader = machine();
  expect(await reader.remote.readFacts("tree 1")).toEqual(bytes);
  await reader.remote.fill([want("@m/a#test")]);
  expect(has(reader, ["@m/a#test"])).toEqual(["@m/a#test"]);
  // The facts and the index of both scopes, and the artifact.
  expect(server.asked).toHaveLength(5);
  expect(await machine().remote.readFacts("tree 2")).toBe(undefined);
  const other = machine({ own: "pull/8", reads: ["pull/8", "default"] });
  expect(await other.remote.readFacts("tree 1")).toBe(undefined);
  expect(await machine({ key: "other" }).remote.readFacts("tree 1")).toBe(
    undefined,
  );
});

test("a redirect is followed, and another server gets no token", async () => {
  await using storage = await artifactServer();
  const writer = machine();
  await writer.remote.send([keep(writer, "@m/a#test")]);
  storage.artifacts = server.artifacts;
  server.asked.length = 0;
  server.answer = ({ url = "" }, response) => {
    response.writeHead(302, { location: `${storage.url}${url}` }).end();
  };
  const reader = machine();
  await reader.remote.fill([want("@m/a#test")]);
  expect(has(reader, ["@m/a#test"])).toEqual(["@m/a#test"]);
  const query = "GET /v8/artifacts/ID?slug=acme ";
  expect(new Set(server.asked)).toEqual(new Set([`${query}Bearer t0ken`]));
  expect(new Set(storage.asked)).toEqual(new Set([query]));
});

test("in the mode read, nothing is written", async () => {
  const reader = machine({ mode: "read" });
  await reader.remote.send([keep(reader, "@m/a#test")]);
  expect(server.asked).toEqual([]);
});

test.each([
  [{}, undefined],
  [
    { SKEIN_CACHE_URL: "cache.example" },
    "SKEIN_CACHE_URL isn't the address of a server, such as https://cache.example",
  ],
  [
    { SKEIN_CACHE_URL: "https://me:pass@cache.example" },
    "SKEIN_CACHE_URL isn't the address of a server, such as https://cache.example",
  ],
  [
    { SKEIN_CACHE_URL: "https://cache.example" },
    "SKEIN_CACHE_SIGNATURE_KEY is not set, and nothing unsigned is read or written",
  ],
  [
    {
      SKEIN_CACHE_URL: "https://cache.example",
      SKEIN_CACHE_SIGNATURE_KEY: "k",
      SKEIN_CACHE_MODE: "rw",
    },
    'SKEIN_CACHE_MODE must be "read" or "write"',
  ],
  [
    {
      SKEIN_CACHE_URL: "https://cache.example",
      SKEIN_CACHE_SIGNATURE_KEY: "k",
      SKEIN_CACHE_TOKEN: "a\nb",
    },
    "SKEIN_CACHE_TOKEN holds characters that no header can",
  ],
])("%j results in %j", (env, settings) => {
  expect(remoteSettings(env)).toEqual(settings);
});
