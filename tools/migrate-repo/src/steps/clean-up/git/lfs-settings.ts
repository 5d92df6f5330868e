import { followUp, stepOf } from "../../step.js";
import { textOf } from "../manifest/package-files.js";

/** Reports `.lfsconfig`, which names a server for a whole repository: people must decide. */
export const lfsSettings = stepOf({
  id: "lfs-settings",
  why: "git-lfs reads .lfsconfig only at the top, where it would apply to every package",
  async find(view, { placements }) {
    const files = [];
    for (const { to } of placements) {
      const path = `${to}/.lfsconfig`;
      const text = await textOf(view, path);
      if (text !== undefined) files.push({ path, text });
    }
    return files;
  },
  what: (files) =>
    files.length === 0
      ? []
      : [`${files.map(({ path }) => path).join(", ")}: stays, and is reported`],
  apply: (_, files) =>
    files.map(({ path, text }) => {
      const settings = text
        .replace(/:\/\/[^/@\s]*@/g, "://")
        .replace(/\s+/g, " ")
        .trim();
      return followUp(
        `${path} is not read here. It contains: ${settings}. Push the package's LFS objects to this repository's server.`,
      );
    }),
});
