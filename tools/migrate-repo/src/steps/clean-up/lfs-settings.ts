import type { Step } from "../step.js";
import { textOf } from "./package-files.js";

/** Reports `.lfsconfig`, which names a server for a whole repository: people must decide. */
export const lfsSettings: Step = {
  id: "lfs-settings",
  async describe(view, { placements }) {
    const files = [];
    for (const { to } of placements)
      if (await view.stat(`${to}/.lfsconfig`)) files.push(`${to}/.lfsconfig`);
    if (files.length === 0) return undefined;
    return {
      what: [`${files.join(", ")}: stays, and is reported`],
      why: "git-lfs reads .lfsconfig only at the top, where it would apply to every package",
    };
  },
  async apply(draft, { placements }) {
    const notes = [];
    for (const { to } of placements) {
      const text = await textOf(draft, `${to}/.lfsconfig`);
      if (text === undefined) continue;
      notes.push({
        kind: "follow-up" as const,
        text: `${to}/.lfsconfig is not read here. It says: ${text
          .replace(/:\/\/[^/@\s]*@/g, "://")
          .replace(/\s+/g, " ")
          .trim()}. Push the package's LFS objects to this repository's server.`,
      });
    }
    return notes;
  },
};
