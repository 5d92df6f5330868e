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
  const events = [];
  const random = seeded(7);
  const between = (least, most) =>
    Math.round((least + (most - least) * random() ** 2) * MINUTE);
  let pulls = 0;

  /** Adds a pull request from its first push to its merge. @returns its merge */
  function pull(repository, at, { author, title, packages, build, queue = 0 }) {
    const number = ++pulls;
    const about = { repository, pull: number };
    const [head, sha] = [idOf(number, "a"), idOf(number, "b")];
    const bot = author.endsWith("[bot]");
    const review = bot ? 20 * MINUTE : between(20, 600);
    tell("pull-opened", at, {
      ...about,
      author,
      bot,
      branch: `topic-${number}`,
      base: "main",
      title,
    });
    tell("pull-pushed", at, { ...about, sha: head });
    tell("pull-attributed", at, { ...about, packages, owners: ["@shop/team"] });
    run(repository, at, build, {
      sha: head,
      pulls: [number],
      event: "pull_request",
    });
    const ready = at + build + review;
    if (queue > 0) tell("queue-entered", ready, about);
    const merged = ready + queue;
    tell("pull-merged", merged, {
      ...about,
      sha,
      head,
      base: "main",
      method: queue > 0 ? "queue" : "squash",
    });
    return { number, merged, sha };
  }

  /** Adds a run with concurrent jobs. One in twelve runs fails and passes on a retry. */
  function run(repository, at, took, { sha, pulls: of = [], event }) {
    const number = (runs += 1);
    const flaky = random() < 1 / 12;
    for (const attempt of flaky ? [1, 2] : [1]) {
      const started = at + (attempt - 1) * (took + MINUTE);
      const conclusion = flaky && attempt === 1 ? "failure" : "success";
      tell("run-started", started, {
        repository,
        run: number,
        attempt,
        workflow: "CI",
        path: ".github/workflows/ci.yml",
        event,
        branch: event === "push" ? "main" : `topic-${of[0]}`,
        sha,
        pulls: of,
        created: iso(at),
      });
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
      tell("run-completed", started + took, {
        repository,
        run: number,
        attempt,
        started: iso(started),
        conclusion,
        jobs: {
          name: jobs.map(({ name }) => name),
          created: jobs.map(({ created }) => created),
          started: jobs.map(({ started: waited }) => waited),
          completed: jobs.map(({ took: ran }) => ran),
          conclusion: jobs.map(({ conclusion: ended }) => ended),
        },
      });
    }
  }
  let runs = 0;

  function tell(kind, at, own) {
    events.push({ v: 1, kind, at: iso(at), ...own });
  }

  for (let day = 0; day < DAYS; day++) {
    const weekend = [0, 6].includes(new Date(from + day * DAY).getUTCDay());
    for (let index = 0; index < (weekend ? 1 : 5); index++) {
      const at = from + day * DAY + 8 * HOUR + between(0, 540);
      const library = ["money", "catalog", "flags"][index % 3];
      const change = {
        author: ["ada", "ben", "chen", "dora"][(day + index) % 4],
        title: TITLES[(day * 5 + index) % TITLES.length],
        packages: [`@shop/${library}`],
      };
      if (day < DAYS / 2) inThePast(library, at, change);
      else inTheWorkspace(at, change);
    }
  }

  function inThePast(library, at, change) {
    const repository = `shop/${library}`;
    const own = pull(repository, at, { ...change, build: between(9, 19) });
    run(repository, own.merged, 9 * MINUTE, { sha: own.sha, event: "push" });
    const version = `1.${own.number}.0`;
    const released = own.merged + between(45, 100);
    const packages = [{ name: `@shop/${library}`, version }];
    tell("published", released, {
      repository,
      channel: "npm",
      key: `@shop/${library}@${version}`,
      sha: own.sha,
      started: iso(released - 12 * MINUTE),
      packages,
    });
    // A bot looks for new versions from time to time, and opens a pull request in the application.
    const upgrade = pull("shop/shop", released + between(12 * 60, 40 * 60), {
      author: "renovate[bot]",
      title: `Update @shop/${library} to ${version}`,
      packages: ["@shop/cart", "@shop/web"],
      build: between(25, 44),
    });
    tell("pull-upgrades", upgrade.merged, {
      repository: "shop/shop",
      pull: upgrade.number,
      upgrades: packages,
    });
    deploy(upgrade, between(20, 40));
  }

  function inTheWorkspace(at, change) {
    const queue = between(8, 16);
    deploy(
      pull("shop/shop", at, { ...change, build: between(14, 34), queue }),
      between(12, 24),
    );
  }

  function deploy({ number, merged, sha }, took) {
    tell("published", merged + took, {
      repository: "shop/shop",
      channel: "deployment",
      key: String(number),
      sha,
      environment: "production",
      started: iso(merged + took - 6 * MINUTE),
      pulls: [number],
    });
  }

  annotate(
    "2025-12-21T08:00:00Z",
    "migration",
    "money, catalog and flags move into the workspace",
  );
  annotate(
    "2026-01-12T09:00:00Z",
    "configuration",
    "dispatch.targetSeconds: 300 instead of 600",
  );
  function annotate(at, what, text) {
    tell("annotated", Date.parse(at), {
      repository: "shop/shop",
      what,
      key: text,
      text,
    });
  }

  return events.map((event) => `${JSON.stringify(event)}\n`).join("");
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
