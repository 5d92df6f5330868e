import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  chromium,
  type BrowserContextOptions,
  type Page,
} from "playwright-core";
import { tempDir } from "./temp-dir.js";

/** Flags that disable the sandbox (root in a container has none) and background requests. */
const flags: string[] = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** A Chromium that opens self-contained pages, and records their output and requests. */
export interface TestBrowser extends AsyncDisposable {
  /** The lines of the console, errors, dialogs and network requests of the most recent page. */
  readonly messages: readonly string[];
  /** Opens a page from a file, in its own profile. The caller closes the page's context. */
  open(html: string, options?: BrowserContextOptions): Promise<Page>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts a browser.
 * @param executablePath the result of `findChromium`
 */
export async function openBrowser(
  executablePath: string,
): Promise<TestBrowser> {
  const dir = await tempDir();
  const browser = await chromium.launch({
    executablePath,
    args: flags,
  });
  const messages: string[] = [];
  return {
    messages,
    async open(html, options) {
      const file = join(dir.path, "page.html");
      await writeFile(file, html);
      const context = await browser.newContext(options);
      const page = await context.newPage();
      messages.length = 0;
      page.on("console", (message) => messages.push(message.text()));
      page.on("pageerror", (error) => messages.push(String(error)));
      page.on("dialog", (dialog) => {
        messages.push(dialog.message());
        void dialog.dismiss();
      });
      page.on("request", (request) => {
        if (!/^(file|data):/.test(request.url())) messages.push(request.url());
      });
      await page.goto(pathToFileURL(file).href);
      return page;
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await dir[Symbol.asyncDispose]();
    },
  };
}
