import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { findChromium } from "@skein/testing";
import { openBrowser, type TestBrowser } from "@skein/testing/browser";
import type axe from "axe-core";
import type { Dashboard } from "./dashboard.js";
import { dashboardOf, HOSTILE, weeks } from "./dashboard.test.kit.js";
import { renderDashboard } from "./render-dashboard.js";

const axeFile = createRequire(import.meta.url).resolve("axe-core");
const LONG =
  "a-name-that-is-as-long-as-names-of-packages-can-be-and-longer-than-a-phone-is-wide";
const looks = [
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 1280 },
  { colorScheme: "light", width: 390 },
  { colorScheme: "dark", width: 390 },
] as const;
type Look = (typeof looks)[number];

const pages = {
  full: dashboardOf(weeks({ pulls: 200, names: ["web", ...HOSTILE, LONG] }), {
    budget: 3_600_000,
    // The minimum is small enough that each day has its own point.
    minimum: 4,
  }),
  few: dashboardOf(weeks({ pulls: 8 })),
  empty: dashboardOf([]),
};
const cases = [
  ...looks.map((look) => ({ name: "full" as const, ...look })),
  { name: "few" as const, ...looks[2] },
  { name: "empty" as const, ...looks[1] },
];

const executablePath = findChromium();

// Without a browser, findChromium prints that these tests are skipped. In CI it throws.
if (executablePath !== undefined)
  describe("in Chromium", () => {
    let browser: TestBrowser;
    beforeAll(async () => (browser = await openBrowser(executablePath)));
    afterAll(() => browser[Symbol.asyncDispose]());

    const open = (dashboard: Dashboard, { colorScheme, width }: Look) =>
      browser.open(renderDashboard(dashboard), {
        viewport: { width, height: 844 },
        colorScheme,
      });

    test.each(cases)(
      "$name, $colorScheme, $width pixels: no message, no request, no overflow, no broken heading, and no violation of accessibility rules",
      async ({ name, ...look }) => {
        const page = await open(pages[name], look);
        expect(
          await page.evaluate<number>("document.documentElement.scrollWidth"),
        ).toBe(look.width);
        expect(await page.evaluate<unknown>(BROKEN)).toEqual([]);
        await page.evaluate(await readFile(axeFile, "utf8"));
        const { violations, passes } = await page.evaluate<axe.AxeResults>(
          // axe then reports only one place for each rule that passes. Reporting all of them would take most of its
          // time.
          "axe.run(document, { resultTypes: ['violations'] })",
        );
        expect(
          violations.map(({ id, nodes }) => [
            id,
            nodes.map(({ html }) => html),
          ]),
        ).toEqual([]);
        expect(passes.map(({ id }) => id)).toContain("color-contrast");
        expect(browser.messages).toEqual([]);
        await page.context().close();
      },
    );

    test.each(looks)(
      "$colorScheme, $width pixels: the charts are visible and have enough contrast",
      async (look) => {
        const page = await open(pages.full, look);
        const charts = page.locator("svg.chart:visible");
        // The trend and three runs.
        expect(await charts.count()).toBe(4);
        for (const chart of await charts.all()) {
          const box = await chart.boundingBox();
          expect(box?.width).toBeGreaterThan(look.width * 0.7);
          expect(box?.height).toBeGreaterThan(80);
        }
        const line = page.locator(".chart:visible .line");
        expect(await line.getAttribute("d")).toMatch(
          /^M[\d.]+,[\d.]+(L[^A-Z]+){20}/,
        );
        // WCAG 2.2 requires 4.5 to 1 for text (1.4.3), and 3 to 1 for graphics that carry meaning (1.4.11).
        const dim = await page.evaluate<unknown>(DIM);
        expect(dim).toEqual([]);
        expect(await page.evaluate<unknown>(CUT)).toEqual([]);
        await page.context().close();
      },
    );

    test("untrusted names are only text, and the page's own link works", async () => {
      const page = await open(pages.full, looks[2]);
      const titles = await page.locator(".slow td:first-child").allInnerTexts();
      expect(titles.join("\n")).toContain(`Change ${HOSTILE[1]}`);
      expect(await page.locator("script, img, iframe").count()).toBe(0);
      await page.click("text=which are not, and why");
      expect(await page.evaluate<string>("location.hash")).toBe("#coverage");
      await page.click("text=The numbers by day");
      expect(await page.locator("details[open] tbody tr").count()).toBe(42);
      expect(
        await page.evaluate<number>("document.documentElement.scrollWidth"),
      ).toBe(390);
      expect(browser.messages).toEqual([]);
      await page.context().close();
    });
  });

/** Selects the words in headings of columns that are on two lines. */
const BROKEN = `[...document.querySelectorAll("thead th")].flatMap((cell) => {
  const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  const broken = [];
  for (let text = texts.nextNode(); text; text = texts.nextNode())
    for (const { index, 0: word } of text.data.matchAll(/[^\\s-]+/g)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      if (range.getClientRects().length > 1) broken.push(word);
    }
  return broken;
})`;

/** Selects the text of a chart that its edges cut off. */
const CUT = `[...document.querySelectorAll("svg.chart")].flatMap((chart) => {
  const whole = chart.getBoundingClientRect();
  return [...chart.querySelectorAll("text")]
    .filter((text) => {
      const { left, right, width } = text.getBoundingClientRect();
      return width > 0 && (left < whole.left || right > whole.right);
    })
    .map((text) => text.textContent);
})`;

/**
 * Selects every colour of a chart, a bar or a legend key with too little contrast to its background. axe doesn't check
 * these.
 */
const DIM = `(() => {
  const parse = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => {
    const [r, g, b] = parse(colour).map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (one, other) => {
    const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const ground = getComputedStyle(document.querySelector("section.hero")).backgroundColor;
  const dim = [];
  const check = (selector, property, least, against = ground) => {
    const found = document.querySelectorAll(selector);
    if (found.length === 0) dim.push(selector + " is not there");
    for (const element of found) {
      const colour = getComputedStyle(element)[property];
      const is = ratio(colour, against);
      if (is < least) dim.push(selector + " " + element.getAttribute("class") + " " + is.toFixed(2));
    }
  };
  const marker = getComputedStyle(document.querySelector(".marker-head")).fill;
  check(".chart text:not(.marker-number)", "fill", 4.5);
  check(".chart text.marker-number", "fill", 4.5, marker);
  check(".line, .budget, .marker", "stroke", 3);
  check(".strong, [class^='s-'], .ran, .critical, .failed, .waited", "fill", 3);
  check(".daily", "fill", 3);
  return dim;
})()`;
