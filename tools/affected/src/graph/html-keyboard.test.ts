import { expect, test } from "@jest/globals";
import {
  canvasOf,
  inChromium,
  list,
  makeUnreadable,
  nextFrame,
  openingAll,
} from "./html.test.support.js";
import { sample } from "./sample.test.support.js";

inChromium((openAtFirst) => {
  const open = openingAll(openAtFirst);

  test('search, "affected only", and use without a pointer', async () => {
    const page = await open(sample, { colorScheme: "dark" });
    await page.keyboard.press("/");
    await page.locator("#search:focus").waitFor();
    await page.keyboard.type("ACME app");
    expect(await list(page)).toEqual(["@acme/web● affected"]);
    await page.keyboard.press("Enter");
    expect(await page.locator("#details h2").textContent()).toBe("@acme/web");
    await page.fill("#search", "");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    expect(await list(page)).toEqual([
      "@acme/core■ changed",
      "@acme/ui● affected",
      "@acme/web● affected",
    ]);
    expect(await page.locator("#list-count").textContent()).toBe("3 of 7");
    await page.keyboard.press("Tab");
    expect(await page.locator("#canvas:focus").count()).toBe(1);
    const before = await page.locator("#canvas").screenshot();
    await page.keyboard.press("+");
    await page.keyboard.press("ArrowLeft");
    await nextFrame(page);
    expect((await page.locator("#canvas").screenshot()).equals(before)).toBe(
      false,
    );
  });

  test("the list has one tab stop, and arrow keys move through it", async () => {
    const page = await open(sample);
    await page.focus("#zoom-fit");
    await page.keyboard.press("Tab");
    const focused = () =>
      page.evaluate<string>(
        "document.activeElement?.dataset.name ?? document.activeElement?.id",
      );
    expect(await focused()).toBe("@acme/core");
    await page.keyboard.press("ArrowDown");
    expect(await focused()).toBe("@acme/ui");
    await page.keyboard.press("End");
    expect(await focused()).toBe(sample.nodes[6]?.name);
    await page.keyboard.press("Tab");
    expect(await focused()).not.toBe("@acme/core");
  });

  test("the address contains the state, and hovering shows a package's name", async () => {
    const page = await open(sample);
    await page.click('[data-name="@acme/ui"]');
    await page.check("#affected-only");
    expect(new URL(page.url()).hash).toBe(
      "#package=%40acme%2Fui&show=affected",
    );
    await page.reload();
    await page.waitForSelector("html[data-painted]");
    expect(await page.locator("#details h2").textContent()).toBe("@acme/ui");
    expect(await page.locator("#list-count").textContent()).toBe("3 of 7");
    // A link that is pasted into the same tab doesn't load the page again.
    await page.evaluate('location.hash = "#search=web&show=all"');
    await page.waitForFunction(
      'document.querySelector("#list-count").textContent === "1 of 7"',
    );
    expect(await page.locator("#details h2").count()).toBe(0);
    await page.evaluate('location.hash = "#package=%40acme%2Fui&show=all"');
    await page.locator("#details h2").waitFor();
    const { x, y, width, height } = await canvasOf(page);
    await makeUnreadable(page);
    await page.click("#details .link >> text=@acme/core");
    await page.mouse.move(x + width / 2, y + height / 2);
    expect(await page.locator("#tip").textContent()).toBe("@acme/core");
    await page.mouse.move(x + 3, y + 3);
    expect(await page.locator("#tip").isHidden()).toBe(true);
  });

  test("selecting a package that can be read moves nothing", async () => {
    const page = await open(sample);
    const middleOf = async () => {
      await page.mouse.move(0, 0);
      const { x, y, width, height } = await canvasOf(page);
      await page.mouse.move(x + width / 2, y + height / 2);
      return page.locator("#tip").textContent();
    };
    const before = await middleOf();
    for (const name of ["@acme/core", "@acme/web"]) {
      await page.click(`[data-name="${name}"]`);
      expect(await middleOf()).toBe(before);
    }
  });

  test("the focus stays where a choice was made", async () => {
    const page = await open(sample);
    const focused = () =>
      page.evaluate<string>(
        "document.activeElement?.dataset.name ?? document.activeElement?.textContent",
      );
    await page.focus('[data-name="@acme/core"]');
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    expect(await page.locator("#details h2").textContent()).toBe("@acme/ui");
    expect(await focused()).toBe("@acme/ui");
    await page.keyboard.press("ArrowDown");
    expect(await focused()).toBe("@acme/web");
    await page.keyboard.press("Escape");
    expect(await focused()).toBe("@acme/web");
    await page.keyboard.press("Enter");
    await page.focus("#details .link >> text=@acme/ui");
    await page.keyboard.press("Enter");
    expect(await focused()).toBe("@acme/ui");
    await page.focus("#details >> text=Clear the selection");
    await page.keyboard.press("Enter");
    expect(await focused()).toBe("@acme/core");
  });
});
