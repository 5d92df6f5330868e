// Makes the pictures of the README, docs/pictures, from real runs: a recording of `affected` in the demo's shop as SVG,
// and the dashboard and the graph page in Chromium, light and dark. Run it after a change of what these show.
// usage: yarn pictures   (needs Chromium: node scripts/ensure-tools.mjs chromium; CHROMIUM_PATH names another one)
import { spawn, spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath, pathToFileURL } from "node:url";
import { findChromium } from "@skein/testing";
import { chromium } from "playwright-core";
import { cutsOff } from "./demo/sources.mjs";
import { renderRecording } from "./pictures/recording.mjs";

const skein = fileURLToPath(new URL("..", import.meta.url));
const pictures = join(skein, "docs/pictures");
const executablePath = findChromium();
if (executablePath === undefined) {
  console.error(
    "pictures: Chromium isn't installed\nhint: node scripts/ensure-tools.mjs chromium",
  );
  process.exit(2);
}

const temp = mkdtempSync(join(tmpdir(), "skein-pictures-"));
try {
  mkdirSync(pictures, { recursive: true });
  const env = { ...process.env, TMPDIR: temp };
  run(process.execPath, ["scripts/demo.mjs"], { cwd: skein, env });
  const [demo] = readdirSync(temp).filter((name) =>
    name.startsWith("skein-demo"),
  );
  const shop = join(temp, demo, "shop");
  writeFileSync(join(shop, "packages/money/index.js"), cutsOff);
  const scenes = [];
  for (const words of ["affected list --table", "affected test"])
    scenes.push(await record(shop, words));
  writeFileSync(join(pictures, "affected-test.svg"), renderRecording(scenes));

  const graph = join(temp, "graph.html");
  run(
    process.execPath,
    [
      join(skein, "tools/affected/bin/affected.js"),
      ...["graph", "--format", "html", "--output", graph],
    ],
    { cwd: shop, env: withoutCi() },
  );
  await photograph({
    graph: { file: graph, height: 720 },
    dashboard: { file: join(temp, demo, "dashboard.html"), height: 900 },
  });
} finally {
  rmSync(temp, { recursive: true });
}

/** Runs a command in the shop, and records the time of each line. */
async function record(cwd, words) {
  const start = performance.now();
  const lines = [];
  const [tool, ...args] = words.split(" ");
  const bin = join(skein, `tools/${tool}/bin/${tool}.js`);
  const child = spawn(process.execPath, [bin, ...args], {
    cwd,
    env: { ...withoutCi(), FORCE_COLOR: "1" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let rest = "";
  for await (const chunk of child.stdout.setEncoding("utf8")) {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop();
    for (const text of parts)
      lines.push({ text, atMs: performance.now() - start });
  }
  return { command: `yarn ${words}`, lines };
}

/** Opens each page in Chromium, and writes NAME-light.png and NAME-dark.png. */
async function photograph(pages) {
  const browser = await chromium.launch({
    executablePath,
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
  try {
    for (const [name, { file, height }] of Object.entries(pages))
      for (const colorScheme of ["light", "dark"]) {
        const page = await browser.newPage({
          viewport: { width: 1200, height },
          colorScheme,
          reducedMotion: "reduce",
        });
        await page.goto(pathToFileURL(file).href);
        if (name === "graph") await page.waitForSelector("html[data-painted]");
        await page.screenshot({
          path: join(pictures, `${name}-${colorScheme}.png`),
        });
        await page.close();
      }
  } finally {
    await browser.close();
  }
}

function run(program, args, options) {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    ...options,
    encoding: "utf8",
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${args.join(" ")}: ${stdout}${stderr}`);
}

function withoutCi() {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([key]) => !/^(CI$|GITHUB_|NO_COLOR$)/.test(key),
    ),
  );
}
