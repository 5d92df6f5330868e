import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  expect,
} from "@jest/globals";
import { findChromium } from "@skein/testing";
import { openBrowser, type TestBrowser } from "@skein/testing/browser";
import type { BrowserContextOptions, Page } from "playwright-core";
import { renderGraph } from "./formats.js";
import type { GraphView } from "./graph-view.js";

/** Opens a page at first sight: if a change affects only a part, it shows that part. */
export type Open = (
  view: GraphView,
  options?: BrowserContextOptions,
) => Promise<Page>;

/**
 * Declares tests in a browser. After each test, pages may have no message, error or request. Without a browser,
 * `findChromium` has printed that these tests don't run, or, in CI, has thrown.
 */
export function inChromium(declare: (openAtFirst: Open) => void): void {
  const executablePath = findChromium();
  if (executablePath === undefined) return;
  describe("in Chromium", () => {
    let browser: TestBrowser;
    beforeAll(async () => (browser = await openBrowser(executablePath)));
    afterAll(() => browser[Symbol.asyncDispose]());
    const opened: Page[] = [];
    afterEach(async () => {
      expect(browser.messages).toEqual([]);
      for (const page of opened.splice(0)) await page.context().close();
    });
    declare(async (view, options) => {
      const page = await browser.open(await renderGraph("html", view), {
        viewport: { width: 1280, height: 800 },
        ...options,
      });
      opened.push(page);
      await page.waitForSelector("html[data-painted]");
      return page;
    });
  });
}

/** Returns a function that opens a page with all packages, as after unchecking "affected only". */
export const openingAll =
  (openAtFirst: Open): Open =>
  async (view, options) => {
    const page = await openAtFirst(view, options);
    await page.uncheck("#affected-only");
    return page;
  };

export const list = (page: Page) =>
  page.locator("#list button").allTextContents();

export const details = (page: Page) => page.locator("#details").innerText();

/** Returns the place of the canvas, in pixels. */
export const canvasOf = async (page: Page) =>
  (await page.locator("#canvas").boundingBox()) ?? {
    ...{ x: 0, y: 0, width: 0, height: 0 },
  };

/** Makes the drawing so small that the page moves it to show a selected package. */
export async function makeUnreadable(page: Page): Promise<void> {
  for (let times = 0; times < 4; times++) await page.click("#zoom-out");
}

/** Waits until the page has drawn the last request. */
export const nextFrame = (page: Page) =>
  page.evaluate(
    "new Promise((next) => requestAnimationFrame(() => setTimeout(next)))",
  );
