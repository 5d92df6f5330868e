import { count } from "@skein/reporting";
import { removalStep } from "./removal.js";
import type { Step } from "../step.js";
import { packageFiles } from "./package-files.js";

const isChangeset = (inside: string) => /^\.changeset\/.+/.test(inside);

const away = removalStep({
  id: "changesets",
  why: "changesets are read only from the root",
  files: ({ inside }) =>
    isChangeset(inside) && !/^\.changeset\/(?!README\.md$).+\.md$/.test(inside),
  report: () => [],
});

/** Moves unreleased changesets to the workspace's `.changeset` if it has one, and removes the package's settings. */
export const changesets: Step = {
  id: "changesets",
  async describe(view, context) {
    const gone = await away.describe(view, context);
    const isUsed = (await view.stat(".changeset/config.json")) !== undefined;
    const waiting = (await packageFiles(view, context)).filter(
      ({ inside }) => isChangeset(inside) && inside.endsWith(".md"),
    );
    if (!isUsed || (!gone && waiting.length === 0)) return undefined;
    return {
      what: [
        ...(gone?.what ?? []),
        ...waiting
          .filter(({ inside }) => !inside.endsWith("/README.md"))
          .map(({ path, inside }) => `${path} -> ${inside}`),
      ],
      why: "changesets are read only from the root",
    };
  },
  async apply(draft, context) {
    await away.apply(draft, context);
    const waiting = (await packageFiles(draft, context)).filter(({ inside }) =>
      isChangeset(inside),
    );
    for (const { path, inside, mode, id, to } of waiting) {
      const taken = await draft.stat(inside);
      const place = taken
        ? inside.replace(/\.md$/, `-${to.replace(/^.*\//, "")}.md`)
        : inside;
      await draft.link(place, { mode, id });
      await draft.remove(path);
    }
    return waiting.length === 0
      ? []
      : [
          {
            kind: "done",
            text: `Moved to the root's .changeset: ${count(waiting.length, "changeset")}.`,
          },
        ];
  },
};
