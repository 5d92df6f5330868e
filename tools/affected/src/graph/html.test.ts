import { expect, test } from "@jest/globals";
import { renderGraph } from "./formats.js";
import {
  canvasOf,
  details,
  inChromium,
  list,
  makeUnreadable,
  nextFrame,
  openingAll,
} from "./html.test.support.js";
import { layered, sample } from "./sample.test.support.js";

test("the page is self-contained: it loads nothing, and contains no module syntax", async () => {
  const page = await renderGraph("html", sample);
  expect(page).not.toMatch(/<!-- \w+ -->(?!")|^(import|export) /m);
  expect(page.replaceAll('href="data:,"', "")).not.toMatch(
    /\b(src|href)=|url\(|https?:/,
  );
  expect(page.match(/<script/g)).toHaveLength(2);
  expect(page).toContain(
    "<title>Acme &lt;/title&gt;&lt;script&gt;alert(&quot;title&quot;)&lt;/script&gt;</title>",
  );
});

const phone = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
};

inChromium((openAtFirst) => {
  const open = openingAll(openAtFirst);

  test("names are never markup, and the list marks affected packages with a word", async () => {
    const page = await open(sample);
    expect(await list(page)).toEqual([
      "@acme/core■ changed",
      "@acme/ui● affected",
      "@acme/web● affected",
      "root",
      "@acme/docs",
      "</script><script>alert(1)</script>",
      sample.nodes[6]?.name,
    ]);
    expect(await page.title()).toBe(sample.title);
    expect(await page.locator("#title").textContent()).toBe(sample.title);
    expect(await page.locator("#summary").textContent()).toBe(
      "7 packages, 5 edges; 3 affected by the changes from main to HEAD",
    );
  });

  test("shows only the affected packages at first, if others are not affected", async () => {
    const page = await openAtFirst(sample);
    expect(await page.isChecked("#affected-only")).toBe(true);
    expect(await list(page)).toHaveLength(3);
    for (const affected of [true, false]) {
      const nodes = sample.nodes.map((node) => ({ ...node, affected }));
      const other = await openAtFirst({ ...sample, nodes });
      expect(await other.isChecked("#affected-only")).toBe(false);
    }
  });

  test("a package's reasons, and the ways to and from it", async () => {
    const page = await open(sample);
    await page.click('[data-name="@acme/ui"]');
    expect((await details(page)).split(/\n+/)).toEqual([
      "@acme/ui",
      "packages/ui · tag design",
      "● affected",
      "Why",
      "depends on @acme/core (workspace:^)",
      "▲ Depend on it: 1",
      "@acme/web ● affected",
      "▼ It depends on: 1",
      "@acme/core ■ changed",
      "Clear the selection",
    ]);
    expect((await list(page)).slice(0, 3)).toEqual([
      "▼ @acme/core■ changed",
      "◆ @acme/ui● affected",
      "▲ @acme/web● affected",
    ]);
    await makeUnreadable(page);
    await page.click("#details .link >> text=@acme/core");
    expect(await page.locator("#details h2").textContent()).toBe("@acme/core");
    // Its name wasn't readable, so it is now in the middle of the drawing. A click beside it clears the selection.
    const { x, y, width, height } = await canvasOf(page);
    await page.mouse.click(x + 10, y + height / 2);
    expect(await details(page)).toBe(
      "Select a package to see why it is affected and what depends on it.",
    );
    await page.mouse.click(x + width / 2, y + height / 2);
    expect(await page.locator("#details h2").textContent()).toBe("@acme/core");
    await page.keyboard.press("Escape");
    expect(await page.locator("#details h2").count()).toBe(0);
  });

  test("a graph without packages shows a message, and edges of several kinds count once", async () => {
    const empty = await open({ ...sample, nodes: [], edges: [] });
    expect(await empty.locator("#empty").innerText()).toBe(
      "No packages to show.",
    );
    const edges = sample.edges.flatMap((edge) => [
      edge,
      { ...edge, kind: "source" as const },
    ]);
    const page = await open({ ...sample, nouns: "scripts", edges });
    expect(await page.locator("#empty").isHidden()).toBe(true);
    expect(await page.locator("#summary").textContent()).toMatch(
      /^7 scripts, 5 edges;/,
    );
    expect(await details(page)).toMatch(/^Select a script /);
  });

  test("direct dependencies come first, and the others unfold", async () => {
    const page = await open(sample);
    await page.click('[data-name="@acme/core"]');
    expect(await details(page)).toContain("▲ Depend on it: 2");
    const deep = {
      ...sample,
      edges: sample.edges.filter(({ kind }) => kind === "dependencies"),
    };
    const other = await open(deep);
    await other.click('[data-name="@acme/core"]');
    expect((await details(other)).split(/\n+/).slice(5, 8)).toEqual([
      "▲ Depend on it: 2",
      "@acme/ui ● affected",
      "1 by way of these",
    ]);
    await other.click("text=1 by way of these");
    // The page fills the list in a task after the click.
    await other.waitForSelector("#details details li");
    expect(await details(other)).toContain(
      "@acme/core → @acme/ui → @acme/web ● affected",
    );
  });

  test("light and dark differ, and text has enough contrast in both", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await open(sample, { colorScheme });
      const brightness = async (property: string) => {
        const colour = await page.evaluate<string>(
          `getComputedStyle(document.body)["${property}"]`,
        );
        const parts = (colour.match(/\d+/g) ?? []).slice(0, 3).map(Number);
        return parts.reduce((sum, part) => sum + part, 0) / 3;
      };
      const ground = await brightness("backgroundColor");
      const text = await brightness("color");
      expect(ground > 128).toBe(colorScheme === "light");
      expect(Math.abs(ground - text)).toBeGreaterThan(150);
    }
  });

  test("on a phone, nothing is wider than the screen, and a touch selects", async () => {
    const long =
      "@acme/a-name-that-is-as-long-as-names-of-packages-can-be-and-longer-than-a-phone-is-wide";
    const page = await open(
      {
        ...sample,
        nodes: [
          ...sample.nodes,
          {
            name: long,
            dir: long,
            affected: true,
            reasons: [long],
            tags: [long],
            owners: [],
          },
        ],
      },
      phone,
    );
    const width = () =>
      page.evaluate<number>("document.documentElement.scrollWidth");
    expect(await width()).toBe(390);
    await page.tap(`[data-name="${long}"]`);
    expect(await page.locator("#details h2").textContent()).toBe(long);
    expect(await width()).toBe(390);
  });

  test("a scrolled list doesn't move when it is clicked", async () => {
    const page = await open(layered(5000));
    await page.check("#affected-only");
    const tops = await page.evaluate<number[]>(`(async () => {
      const more = document.getElementById("more");
      const tops = [];
      more.scrollIntoView({ block: "center" });
      for (let frame = 0; frame < 6; frame++) {
        tops.push(Math.round(more.getBoundingClientRect().top));
        await new Promise((next) => requestAnimationFrame(() => setTimeout(next)));
      }
      return tops;
    })()`);
    expect([...new Set(tops)]).toEqual([tops[0]]);
  });

  test("more than 150 packages are shown as folders first; a search opens one", async () => {
    const { nodes, ...rest } = layered(200);
    const page = await open({
      ...rest,
      nodes: nodes.map((node, index) => ({
        ...node,
        dir: `${index < 60 ? "apps" : "libs"}/p${index}`,
      })),
    });
    const { x, y, width, height } = await canvasOf(page);
    // There are two boxes, one above the other: libs depends on apps.
    await page.mouse.move(x + width * 0.4, y + height * 0.4);
    await nextFrame(page);
    const named = new Set<string>();
    for (let part = 0.1; part < 0.9; part += 0.05)
      for (const across of [0.4, 0.5, 0.6]) {
        await page.mouse.move(x + width * across, y + height * part);
        named.add((await page.locator("#tip").textContent()) ?? "");
      }
    expect([...named].filter(Boolean).toSorted()).toEqual([
      "apps/ (60)",
      "libs/ (140)",
    ]);
    await page.fill("#search", "apps/");
    expect(await page.locator("#list-count").textContent()).toBe("60 of 200");
  });

  test("5,000 packages: shown, searched, selected and narrowed", async () => {
    const page = await openAtFirst(layered(5000));
    // If a change affects only a part of many packages, the page shows only that part at first.
    expect(await page.locator("#list-count").textContent()).toBe(
      "500 of 5,000",
    );
    await page.uncheck("#affected-only");
    expect((await list(page)).length).toBe(200);
    expect(await page.locator("#list-count").textContent()).toBe(
      "5,000 of 5,000",
    );
    await page.fill("#search", "number-4999");
    await page.press("#search", "Enter");
    expect(await page.locator("#details h2").textContent()).toBe(
      "@scope-4/package-number-4999",
    );
    expect(await page.locator("#details").innerText()).toContain(
      "▼ It depends on: ",
    );
    await page.fill("#search", "");
    await page.check("#affected-only");
    expect(await page.locator("#list-count").textContent()).toBe(
      "500 of 5,000",
    );
    await page.click("#more");
    // The click resolves before a busy page has handled it.
    const last = page.locator("#list button").nth(499);
    await last.waitFor({ state: "attached" });
    expect((await list(page)).length).toBe(500);
    expect(
      await page.evaluate(
        "[...document.querySelectorAll('#list button')].indexOf(document.activeElement)",
      ),
    ).toBe(200);
  });
});
