// The events of the shop as `ci-dispatch metrics sync` would store them from GitHub: six weeks with libraries in their
// own repositories, then six in one workspace. They are generated from a seed, and the same on every machine.
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const from = Date.UTC(2025, 10, 9);
export const moved = "2025-12-20";
export const today = "2026-01-31";
const DAYS = 84;

/** Returns the events. @returns NDJSON, one event on each line, in no order */
export function deliveries() {
  const history = { events: [], random: seeded(7), pulls: 0, runs: 0 };
  for (let day = 0; day < DAYS; day++) {
    const weekend = [0, 6].includes(new Date(from + day * DAY).getUTCDay());
    for (let index = 0; index < (weekend ? 1 : 5); index++) {
      const at = from + day * DAY + 8 * HOUR + between(history, 0, 540);
      const library = ["money", "catalog", "flags"][index % 3];
      const change = {
        author: ["ada", "ben", "chen", "dora"][(day + index) % 4],
        title: TITLES[(day * 5 + index) % TITLES.length],
        packages: [`@shop/${library}`],
      };
      if (day < DAYS / 2) inThePast(history, library, at, change);
      else inTheWorkspace(history, at, change);
    }
  }
  annotate(
    history,
    "2025-12-21T08:00:00Z",
    "migration",
    "money, catalog and flags move into the workspace",
  );
  annotate(
    history,
    "2026-01-12T09:00:00Z",
    "configuration",
    "dispatch.targetSeconds: 300 instead of 600",
  );
  return history.events.map((event) => `${JSON.stringify(event)}\n`).join("");
}

/**
 * The state that the events are made from.
 * @typedef {object} History
 * @property {object[]} events the events so far
 * @property {() => number} random returns pseudo-random numbers from 0 to 1
 * @property {number} pulls the number of pull requests so far
 * @property {number} runs the number of runs so far
 */

/** Adds an event. @param {History} history */
function tell(history, kind, at, own) {
  history.events.push({ v: 1, kind, at: iso(at), ...own });
}

/** Returns a random span in milliseconds; short ones are more frequent. @param {History} history */
function between({ random }, least, most) {
  return Math.round((least + (most - least) * random() ** 2) * MINUTE);
}

/** Adds a change of a library in its own repository, and its way into the application. @param {History} history */
function inThePast(history, library, at, change) {
  const repository = `shop/${library}`;
  const own = pull(history, repository, at, {
    ...change,
    build: between(history, 9, 19),
  });
  run(history, repository, own.merged, 9 * MINUTE, {
    sha: own.sha,
    event: "push",
  });
  const version = `1.${own.number}.0`;
  const released = own.merged + between(history, 45, 100);
  const packages = [{ name: `@shop/${library}`, version }];
  tell(history, "published", released, {
    repository,
    channel: "npm",
    key: `@shop/${library}@${version}`,
    sha: own.sha,
    started: iso(released - 12 * MINUTE),
    packages,
  });
  // A bot looks for new versions from time to time, and opens a pull request in the application.
  const opened = released + between(history, 12 * 60, 40 * 60);
  const upgrade = pull(history, "shop/shop", opened, {
    author: "renovate[bot]",
    title: `Update @shop/${library} to ${version}`,
    packages: ["@shop/cart", "@shop/web"],
    build: between(history, 25, 44),
  });
  tell(history, "pull-upgrades", upgrade.merged, {
    repository: "shop/shop",
    pull: upgrade.number,
    upgrades: packages,
  });
  deploy(history, upgrade, between(history, 20, 40));
}

/** Adds a change of a library in the workspace. @param {History} history */
function inTheWorkspace(history, at, change) {
  const queue = between(history, 8, 16);
  const build = between(history, 14, 34);
  const merge = pull(history, "shop/shop", at, { ...change, build, queue });
  deploy(history, merge, between(history, 12, 24));
}

/** Adds a pull request from its first push to its merge. @param {History} history @returns its merge */
function pull(
  history,
  repository,
  at,
  { author, title, packages, build, queue = 0 },
) {
  const number = ++history.pulls;
  const about = { repository, pull: number };
  const [head, sha] = [idOf(number, "a"), idOf(number, "b")];
  const bot = author.endsWith("[bot]");
  const review = bot ? 20 * MINUTE : between(history, 20, 600);
  tell(history, "pull-opened", at, {
    ...about,
    author,
    bot,
    branch: `topic-${number}`,
    base: "main",
    title,
  });
  tell(history, "pull-pushed", at, { ...about, sha: head });
  const owners = ["@shop/team"];
  tell(history, "pull-attributed", at, { ...about, packages, owners });
  run(history, repository, at, build, {
    sha: head,
    pulls: [number],
    event: "pull_request",
  });
  const ready = at + build + review;
  if (queue > 0) tell(history, "queue-entered", ready, about);
  const merged = ready + queue;
  tell(history, "pull-merged", merged, {
    ...about,
    sha,
    head,
    base: "main",
    method: queue > 0 ? "queue" : "squash",
  });
  return { number, merged, sha };
}

/** Adds a run with concurrent jobs. One in twelve runs fails and passes on a retry. @param {History} history */
function run(history, repository, at, took, { sha, pulls: of = [], event }) {
  const number = (history.runs += 1);
  const flaky = history.random() < 1 / 12;
  for (const attempt of flaky ? [1, 2] : [1]) {
    const about = { repository, run: number, attempt };
    const started = at + (attempt - 1) * (took + MINUTE);
    const conclusion = flaky && attempt === 1 ? "failure" : "success";
    tell(history, "run-started", started, {
      ...about,
      workflow: "CI",
      path: ".github/workflows/ci.yml",
      event,
      branch: event === "push" ? "main" : `topic-${of[0]}`,
      sha,
      pulls: of,
      created: iso(at),
    });
    tell(history, "run-completed", started + took, {
      ...about,
      started: iso(started),
      conclusion,
      jobs: jobsOf(took, conclusion),
    });
  }
}

/** Returns the jobs of an attempt, as one list per field; times are in seconds. */
function jobsOf(took, conclusion) {
  const jobs = [
    ["plan", 0, 0.08],
    ["app-checkout", 0.08, 0.86],
    ["packages-1", 0.08, 1],
    ["packages-2", 0.08, 0.94],
  ].map(([name, begin, end]) => ({
    name,
    created: Math.round((begin * took) / 1000),
    started: Math.min(20, Math.round(took / 20_000)),
    took: Math.round(((end - begin) * took) / 1000) - 20,
    conclusion: name === "packages-1" ? conclusion : "success",
  }));
  return {
    name: jobs.map(({ name }) => name),
    created: jobs.map(({ created }) => created),
    started: jobs.map(({ started: waited }) => waited),
    completed: jobs.map(({ took: ran }) => ran),
    conclusion: jobs.map(({ conclusion: ended }) => ended),
  };
}

/** Adds the deployment of a merge. @param {History} history */
function deploy(history, { number, merged, sha }, took) {
  tell(history, "published", merged + took, {
    repository: "shop/shop",
    channel: "deployment",
    key: String(number),
    sha,
    environment: "production",
    started: iso(merged + took - 6 * MINUTE),
    pulls: [number],
  });
}

/** Adds an annotation. @param {History} history */
function annotate(history, at, what, text) {
  tell(history, "annotated", Date.parse(at), {
    repository: "shop/shop",
    what,
    key: text,
    text,
  });
}

const TITLES = [
  "Round half up everywhere",
  "Sell cups",
  "Switch gift wrap on for some",
  "Print amounts without spaces",
  "Tea costs more",
  "Say why a price is refused",
  "Sort the catalogue by name",
];

const iso = (ms) => new Date(ms).toISOString();

function idOf(number, fill) {
  return number.toString(16).padStart(40, fill);
}

/** Returns a generator of pseudo-random numbers from 0 to 1 (mulberry32). */
function seeded(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let word = Math.imul(state ^ (state >>> 15), 1 | state);
    word = (word + Math.imul(word ^ (word >>> 7), 61 | word)) ^ word;
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32;
  };
}
