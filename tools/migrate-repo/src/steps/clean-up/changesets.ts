import { count } from "@skein/reporting";
import { done, stepOf } from "../step.js";
import { packageFiles } from "./manifest/package-files.js";

const isWaiting = (inside: string) =>
  /^\.changeset\/(?!README\.md$).+\.md$/.test(inside);

/** Moves unreleased changesets to the workspace's `.changeset` if it has one, and removes the package's settings. */
export const changesets = stepOf({
  id: "changesets",
  why: "changesets are read only from the root",
  async find(view, context) {
    const isUsed = (await view.stat(".changeset/config.json")) !== undefined;
    const files = isUsed ? await packageFiles(view, context) : [];
    const own = files.filter(({ inside }) => /^\.changeset\/.+/.test(inside));
    return {
      waiting: own.filter(({ inside }) => isWaiting(inside)),
      gone: own.filter(({ inside }) => !isWaiting(inside)),
    };
  },
  what: ({ waiting, gone }) => [
    ...(gone.length === 0
      ? []
      : [`remove ${gone.map(({ path }) => path).join(", ")}`]),
    ...waiting.map(({ path, inside }) => `${path} -> ${inside}`),
  ],
  async apply(draft, { waiting, gone }) {
    for (const { path } of gone) await draft.remove(path);
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
          done(
            `Moved to the root's .changeset: ${count(waiting.length, "changeset")}.`,
          ),
        ];
  },
});
