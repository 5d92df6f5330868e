import { describe, expect, test } from "@jest/globals";
import { dashboardOf, END, HOSTILE, weeks } from "./dashboard.test.kit.js";
import { renderDashboard } from "./render-dashboard.js";

const page = renderDashboard(dashboardOf(weeks({ pulls: 120 })));

/** What a reader reads. */
const textOf = (html: string) =>
  html
    .replace(/<(style|title)[\s\S]*?<\/\1\s*>/g, " ")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");

test("the page is whole: no script, and nothing is loaded", () => {
  expect(page).not.toMatch(/<script|\bsrc=|url\(|@import|javascript:/);
  expect(page).not.toContain('style="');
  expect(page.replaceAll("&#39;", "'")).toMatch(
    /content="default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src data:; base-uri 'none'; form-action 'none'"/,
  );
});

test("the headline stands with its interval, its pull request, n and coverage", () => {
  const text = textOf(page);
  expect(text).toContain("Commit to publish, P90 of 6 weeks 63 min");
  expect(text).toContain("95 % interval 59 min to 66 min");
  expect(text).toContain("The pull request at the P90 #96");
  expect(text).toContain("Pull requests 113 of 120");
});

test.each([
  { pulls: 0, says: "No pull request is known to have come to its end" },
  { pulls: 12, says: "12 pull requests: a P90 says something from 20 on." },
])("of $pulls pull requests no number is told", ({ pulls, says }) => {
  const few = textOf(renderDashboard(dashboardOf(weeks({ pulls }))));
  expect(few).toContain(`not known yet ${says}`);
  expect(few).not.toMatch(/NaN|undefined|null|Infinity/);
});

test("a budget is judged in words", () => {
  const judged = (budget: number) =>
    textOf(renderDashboard(dashboardOf(weeks({ pulls: 120 }), { budget })));
  expect(judged(7_200_000)).toContain("✓ within the budget of 120 min");
  expect(judged(600_000)).toContain("✗ above the budget of 10 min");
});

describe("what others named", () => {
  const hostile = renderDashboard(
    dashboardOf(weeks({ pulls: 120, names: HOSTILE })),
  );

  test("is a name and nothing else", () => {
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
    const out = others.filter((to) => to !== "#coverage");
    expect(out.length).toBeGreaterThan(10);
    for (const to of out)
      expect(to).toMatch(
        /^https:\/\/github\.com\/acme\/web\/(pull|actions\/runs)\/\d+$/,
      );
  });

  test("are only made to https", () => {
    for (const server of [
      "http://github.com",
      "javascript:alert(1)//",
      "no address",
    ]) {
      const own = renderDashboard(
        dashboardOf(weeks({ pulls: 40 }), { server }),
      );
      expect(hrefs(own)).toEqual(["data:,", "#coverage"]);
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

test("several repositories are told apart", () => {
  const events = weeks({ pulls: 40 });
  const other = events.map((event) => ({ ...event, repository: "acme/api" }));
  const both = textOf(renderDashboard(dashboardOf([...events, ...other])));
  expect(both).toContain("acme/api, acme/web");
  expect(both).toContain("acme/api #40");
  expect(both).toContain(new Date(END).getUTCFullYear().toString());
});
