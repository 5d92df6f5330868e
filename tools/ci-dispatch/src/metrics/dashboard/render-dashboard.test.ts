import { describe, expect, test } from "@jest/globals";
import { dashboardOf, END, HOSTILE, weeks } from "./dashboard.test.kit.js";
import { STAGES, type DeliveryEvent } from "@skein/delivery-metrics";
import { reliabilityWords } from "../render/words.js";
import { renderDashboard } from "./render-dashboard.js";

const YEAR = 365 * 86_400_000;

const page = renderDashboard(dashboardOf(weeks({ pulls: 120 })));

/** Returns the text that a reader sees. */
const textOf = (html: string) =>
  html
    .replace(/<(style|title)[\s\S]*?<\/\1\s*>/g, " ")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");

test("the page is self-contained: it has no script, and loads nothing", () => {
  expect(page).not.toMatch(/<script|\bsrc=|url\(|@import|javascript:/);
  expect(page).not.toContain('style="');
  expect(page.replaceAll("&#39;", "'")).toMatch(
    /content="default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src data:; base-uri 'none'; form-action 'none'"/,
  );
});

test("the headline has its interval, its pull request, n and coverage", () => {
  const text = textOf(page);
  expect(text).toContain("Commit to publish, P90 of 6 weeks 63 min");
  expect(text).toContain("95 % confidence interval 59 min to 66 min");
  expect(text).toContain("P90 pull request #96");
  expect(text).toContain("Pull requests 113 of 120");
});

test("a false hit names its script and the fields of its fingerprint", () => {
  const [unit] = HOSTILE;
  const fields = [
    { name: "files", hash: "0a1b2c3d" },
    { name: "runtime", hash: "4e5f6071" },
  ];
  const events = weeks({ pulls: 30 });
  const reused: DeliveryEvent = {
    kind: "units-reused",
    ...{ at: END - 1, repository: "acme/web", run: 1, sha: "a".repeat(40) },
    ...{ pull: null, first: false, units: 2, reused: 0, reusedMs: 0 },
    ...{ checked: 2, falseHits: [unit], falseHitFields: [{ unit, fields }] },
    ...{ evidenceChecked: 4, wrongEvidence: [unit] },
  };
  const dashboard = dashboardOf([...events, reused]);
  const html = renderDashboard(dashboard);
  expect(html).not.toContain("<script>");
  expect(textOf(html)).toContain(
    "Script Fields that were the same &lt;/style&gt;&lt;script&gt;alert(&quot;title&quot;)&lt;/script&gt; files 0a1b2c3d, runtime 4e5f6071",
  );
  expect(textOf(html)).toContain("Wrong evidence 25 % 1 of 4 checked scripts");
  expect(reliabilityWords(dashboard.report).slice(-3)).toEqual([
    `false hits: 50.0 % (1 of 2): ${unit}`,
    `false hit: ${unit} passed and failed with the same files 0a1b2c3d, runtime 4e5f6071`,
    `wrong evidence: 25.0 % (1 of 4): ${unit}`,
  ]);
});

const OLD = weeks({ pulls: 40 }).map((event) =>
  event.kind === "run-completed"
    ? {
        ...event,
        at: event.at - YEAR,
        started: event.started - YEAR,
        jobs: [],
      }
    : { ...event, at: event.at - YEAR },
);

test.each([
  {
    name: "no events",
    events: [],
    says: "There are no events. ci-dispatch metrics sync reads them from GitHub.",
  },
  {
    name: "12 pull requests",
    events: weeks({ pulls: 12 }),
    says: "12 pull requests: a P90 needs at least 20.",
  },
  {
    name: "events of the year before",
    events: OLD,
    says: "No pull request with a known run ended from 16 Feb 2026 to 29 Mar 2026. The newest event is of 28 Mar 2025; ci-dispatch metrics sync reads newer ones.",
  },
])("no number is shown for $name", ({ events, says }) => {
  const few = textOf(
    renderDashboard(dashboardOf(events, { budget: 7_200_000 })),
  );
  expect(few).toContain(`not known yet ${says}`);
  expect(few).toContain("? the budget of 120 min cannot be judged");
  expect(few).not.toMatch(/NaN|undefined|null|Infinity/);
  // The page has no statement about data that doesn't exist.
  if (!says.startsWith("12"))
    expect(few).not.toMatch(/None are excluded|Nothing flaked|Flaky runs|–/);
});

test("a stalled release pipeline: the headline is a lower bound, and the stuck pull requests are named", () => {
  const stalled = weeks({ pulls: 120 }).filter(
    ({ kind, at }) => kind !== "published" || at < END - 10 * 86_400_000,
  );
  const text = textOf(
    renderDashboard(dashboardOf(stalled, { budget: 7_200_000 })),
  );
  expect(text).toContain("P90 of 6 weeks ≥ 5.7 d");
  expect(text).toContain(
    "More than one in ten changes takes longer from their first push until they are published: 26 of 113 are still on their way, so no exact number is known.",
  );
  expect(text).toContain("✗ above the budget of 120 min");
  expect(text).toContain(
    "26 merged, but not yet published: each counts as at least its time so far. The newest: #120 , #118 ,",
  );
  expect(text).toContain("not ended yet");
});

test("the bars of all stages share one scale, and so do those of the slowest pull requests", () => {
  const { report } = dashboardOf(weeks({ pulls: 120 }));
  const p90s = STAGES.flatMap((stage) =>
    (report.stages[stage].values?.p95.ms ?? 0) > 0
      ? [report.stages[stage].values?.p90.ms ?? 0]
      : [],
  );
  const longest = Math.max(...p90s);
  const bars = [...page.matchAll(/class="light" width="([\d.]+)"/g)].map(
    ([, width]) => Number(width),
  );
  const ascending = (a: number, b: number) => a - b;
  expect(bars.toSorted(ascending)).toEqual(
    p90s.map((ms) => Math.round((ms / longest) * 1000) / 10).sort(ascending),
  );
  const ways = [...page.matchAll(/<td colspan="3">([\s\S]*?)<\/td>/g)].map(
    ([, way = ""]) =>
      [...way.matchAll(/width="([\d.]+)"\s+height/g)].reduce(
        (sum, [, width]) => sum + Number(width),
        0,
      ),
  );
  const gross = report.slowest.map((pull) => pull.gross);
  for (const [index, way] of ways.entries())
    expect(way).toBeCloseTo(
      ((gross[index] ?? 0) / Math.max(...gross)) * 1000,
      -0.5,
    );
  expect(ways).toHaveLength(10);
});

test("the bars of all runs share one scale", () => {
  const dashboard = dashboardOf(weeks({ pulls: 120 }));
  const longest = Math.max(...dashboard.runs.map(({ makespan }) => makespan));
  const [, section = ""] = page.split('aria-labelledby="runs"');
  const charts = [
    ...section.matchAll(/<svg\s+class="chart wide"([\s\S]*?)<\/svg>/g),
  ];
  const widths = charts.map(([, chart = ""]) =>
    Math.max(
      ...[...chart.matchAll(/class="critical"[^>]*?width="([\d.]+)"/g)].map(
        ([, width]) => Number(width),
      ),
    ),
  );
  // A run's last job ends with the run, and each job waits for a minute.
  expect(widths).toEqual(
    dashboard.runs.map(({ makespan }) =>
      expect.closeTo((702 * (makespan - 60_000)) / longest, 0),
    ),
  );
  expect(new Set(widths).size).toBe(3);
});

test("the bars of a trend of few days stay between its axes", () => {
  const { report } = dashboardOf(weeks({ pulls: 120 }));
  const fortnight = renderDashboard(
    dashboardOf(weeks({ pulls: 120 }), {
      report: { ...report, series: report.series.slice(-14) },
    }),
  );
  const bars = [
    ...fortnight.matchAll(
      /class="delivered"\s+x="([\d.]+)"\s+width="([\d.]+)"/g,
    ),
  ].map(([, x, width]) => [Number(x), Number(x) + Number(width)] as const);
  expect(bars.length).toBe(28);
  for (const [from] of bars) expect(from).toBeGreaterThanOrEqual(64);
  for (const [, to] of bars.slice(0, 14))
    expect(to).toBeLessThanOrEqual(1_000 - 26);
});

test("a page with too few pull requests has no columns for percentiles", () => {
  const few = textOf(renderDashboard(dashboardOf(weeks({ pulls: 12 }))));
  expect(few).not.toContain("Where the time goes");
  expect(few).toContain(
    "The number of pull requests that change each; a P90 needs at least 20 Package n @acme/core 12 @acme/web 12",
  );
  const none = textOf(renderDashboard(dashboardOf(OLD)));
  expect(none).toContain("Pull requests 0 of 0 Ends with");
});

test("a page about one package names the numbers that are about all", () => {
  const { report } = dashboardOf(weeks({ pulls: 30 }));
  const one = { ...report, only: { package: "@acme/web", team: null } };
  const words =
    "lakes, infrastructure failures, savings and reuse are those of all packages";
  expect(textOf(renderDashboard(dashboardOf([], { report: one })))).toContain(
    `F${words}.`,
  );
  expect(reliabilityWords(one)[0]).toBe(`f${words}`);
  expect(page).not.toContain(words);
});

test("the table of contents names every section", () => {
  const [, nav = ""] = /<nav[\s\S]*?>([\s\S]*?)<\/nav>/.exec(page) ?? [];
  const ids = [...page.matchAll(/<section aria-labelledby="([^"]+)"/g)].map(
    ([, id]) => `#${id}`,
  );
  expect([...nav.matchAll(/href="([^"]+)"/g)].map(([, to]) => to)).toEqual(
    ids.filter((id) => id !== "#headline" && id !== "#beside"),
  );
});

test("a budget is judged in words", () => {
  const judged = (budget: number) =>
    textOf(renderDashboard(dashboardOf(weeks({ pulls: 120 }), { budget })));
  expect(judged(7_200_000)).toContain("✓ within the budget of 120 min");
  expect(judged(600_000)).toContain("✗ above the budget of 10 min");
});

describe("an untrusted name", () => {
  const hostile = renderDashboard(
    dashboardOf(weeks({ pulls: 120, names: HOSTILE })),
  );

  test("is only text", () => {
    const tags = new Set(
      [...hostile.matchAll(/<\/?([a-z!-]+)/gi)].map(([, name]) => name),
    );
    expect(tags).not.toContain("script");
    expect(tags).not.toContain("img");
    expect(hostile).not.toMatch(/[\u202a-\u202e]/);
    expect(hostile).toContain(
      "&lt;/style&gt;&lt;script&gt;alert(&quot;title&quot;)&lt;/script&gt;",
    );
    expect(hostile).toContain("\ufffdgnp.exe @everyone &amp;amp;");
  });
});

describe("links", () => {
  const hrefs = (html: string) => [
    ...new Set([...html.matchAll(/href="([^"]*)"/g)].map(([, to]) => to)),
  ];

  test("lead to pull requests and runs on the server", () => {
    const [icon, ...others] = hrefs(page);
    expect(icon).toBe("data:,");
    expect(others).toContain("#coverage");
    const out = others.filter((to) => !to?.startsWith("#"));
    expect(out.length).toBeGreaterThan(10);
    for (const to of out)
      expect(to).toMatch(
        /^https:\/\/github\.com\/acme\/web\/(pull|actions\/runs)\/\d+$/,
      );
  });

  test("are created only to https", () => {
    for (const server of [
      "http://github.com",
      "javascript:alert(1)//",
      "no address",
    ]) {
      const own = renderDashboard(
        dashboardOf(weeks({ pulls: 40 }), { server }),
      );
      expect(hrefs(own).filter((to) => !to?.startsWith("#"))).toEqual([
        "data:,",
      ]);
    }
    const inside = renderDashboard(
      dashboardOf(weeks({ pulls: 40 }), {
        server: "https://git.acme.example/x/",
      }),
    );
    expect(inside).toContain("https://git.acme.example/x/acme/web/pull/");
  });
});

test("the same events make the same page", () => {
  expect(renderDashboard(dashboardOf(weeks({ pulls: 120 }).toReversed()))).toBe(
    page,
  );
});

test("several repositories are distinguished", () => {
  const events = weeks({ pulls: 40 });
  const other = events.map((event) => ({ ...event, repository: "acme/api" }));
  const both = textOf(renderDashboard(dashboardOf([...events, ...other])));
  expect(both).toContain("acme/api, acme/web");
  expect(both).toContain("acme/api #40");
  expect(both).toContain(new Date(END).getUTCFullYear().toString());
});
