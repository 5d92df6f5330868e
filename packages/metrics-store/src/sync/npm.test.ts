import { expect, test } from "@jest/globals";
import type { MeasuringRules } from "@skein/delivery-metrics";
import { startFakeRegistry } from "@skein/testing";
import type { FakeRegistry, RegistryFault } from "@skein/testing";
import { openRegistry } from "./registry.js";
import { DAY, syncWorld, type SyncWorld } from "./sync.test.kit.js";

const START = Date.UTC(2026, 0, 5, 7);
const SINCE = START - 7 * DAY;

function rulesFor({ url }: FakeRegistry, ...packages: string[]) {
  const publish = packages.map(
    (name) => ({ from: "npm", package: name, registry: url }) as const,
  );
  return { upgrades: [], publish } satisfies MeasuringRules;
}

async function published(world: SyncWorld) {
  return (await world.events("store")).flatMap((event) =>
    event.kind === "published" ? [event.key] : [],
  );
}

test("sync reads only new versions, and reads an earlier time if it is requested", async () => {
  await using world = await syncWorld();
  await using registry = await startFakeRegistry();
  const rules = rulesFor(registry, "@acme/ui", "grid");
  const old = { version: "1.0.0", at: SINCE - DAY };
  registry.packages.set("@acme/ui", [old, { version: "1.1.0", at: START }]);
  registry.packages.set("grid", [{ version: "2.0.0", at: START }]);
  await world.syncAt(START + DAY, "store", { since: SINCE, rules });
  expect(await published(world)).toEqual(["@acme/ui@1.1.0", "grid@2.0.0"]);
  registry.packages.set("grid", [
    { version: "2.0.0", at: START },
    { version: "2.0.1", at: START + DAY },
  ]);
  await world.syncAt(START + 2 * DAY, "store", { since: SINCE, rules });
  const since = SINCE - 2 * DAY;
  await world.syncAt(START + 2 * DAY, "store", { since, rules });
  expect(registry.requests).toEqual([
    "GET /@acme%2Fui 200",
    "GET /grid 200",
    "GET /@acme%2Fui 304",
    "GET /grid 200",
    "GET /@acme%2Fui 200",
    "GET /grid 200",
  ]);
  expect(await published(world)).toEqual([
    "@acme/ui@1.0.0",
    "@acme/ui@1.1.0",
    "grid@2.0.0",
    "grid@2.0.1",
  ]);
});

test("a failing registry is reported, the sync is unfinished, and the other registries are read", async () => {
  await using world = await syncWorld();
  await using registry = await startFakeRegistry();
  registry.packages.set("grid", [{ version: "2.0.0", at: START }]);
  const { host } = new URL(registry.url);
  for (let times = 0; times < 3; times++)
    registry.fail({ kind: "status", status: 503 });
  const rules = rulesFor(registry, "@acme/ui", "@acme/gone", "grid");
  const first = await world.syncAt(START + DAY, "store", {
    since: SINCE,
    rules,
  });
  expect(first.notes).toEqual([
    `@acme/ui: ${host} answers 503`,
    `${host} has no package @acme/gone`,
  ]);
  expect(first.stopped).toMatchObject({ why: "registry" });
  expect(await published(world)).toEqual(["grid@2.0.0"]);
  registry.packages.set("@acme/ui", [{ version: "1.1.0", at: START }]);
  const next = await world.syncAt(START + DAY, "store", {
    since: SINCE,
    rules,
  });
  expect(next.stopped).toBeUndefined();
  expect(await published(world)).toEqual(["@acme/ui@1.1.0", "grid@2.0.0"]);
});

const SMALL = { kind: "body", body: Buffer.from("<html>") } as const;
const NO_TIMES = { kind: "body", body: Buffer.from(`{"name":"ui"}`) } as const;
const BOMB = {
  kind: "body",
  body: Buffer.alloc(65 * 2 ** 20, " "),
  gzip: true,
} as const;

test.each<[string, RegistryFault, number, string | undefined]>([
  ["a page", SMALL, 3, "doesn't answer with JSON"],
  ["more than it may send, packed", BOMB, 1, "sends more than 64 MB"],
  ["a way elsewhere", { kind: "redirect", to: "/x" }, 3, "cannot be reached"],
  ["a cut connection", { kind: "reset" }, 3, "cannot be reached"],
  ["silence", { kind: "slow", ms: 60_000 }, 3, "does not answer in time"],
  ["a refusal", { kind: "status", status: 403 }, 1, "answers 403"],
  ["too many", { kind: "status", status: 429 }, 3, "answers 429"],
  ["a failure that passes", { kind: "status", status: 500 }, 2, undefined],
])("a registry answers with %s", async (_, fault, times, message) => {
  await using registry = await startFakeRegistry();
  registry.packages.set("ui", [{ version: "1.0.0", at: START }]);
  for (let time = 0; time < times; time++) registry.fail(fault);
  const timeout = fault.kind === "slow" ? 50 : 60_000;
  const reported = openRegistry({ second: 1, timeout }).read(
    registry.url,
    "ui",
  );
  if (message === undefined)
    expect(await reported).toMatchObject({ kind: "new" });
  else await expect(reported).rejects.toThrow(message);
});

test("an answer without publication times is refused", async () => {
  await using world = await syncWorld();
  await using registry = await startFakeRegistry();
  registry.fail(NO_TIMES);
  const { notes, stopped } = await world.syncAt(START, "store", {
    rules: rulesFor(registry, "ui"),
  });
  expect(notes).toEqual([
    `ui: ${new URL(registry.url).host} does not provide the dates of its publications`,
  ]);
  expect(stopped?.why).toBe("registry");
});
