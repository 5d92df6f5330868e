import { followUp } from "../step.js";
import { fieldsAmong, removalStep } from "./removal.js";

const FILES =
  /^(?:(?:\.github\/|\.gitlab\/)?renovate\.json5?|\.renovaterc(?:\.json5?)?|\.github\/dependabot\.ya?ml|\.dependabot\/.*|\.snyk)$/;

/** Removes settings of bots that update dependencies: they apply to a repository. */
export const updateBots = removalStep({
  id: "update-bots",
  why: "bots that update dependencies read their settings at the top of the repository only",
  files: ({ inside }) => FILES.test(inside),
  fields: (manifest) => fieldsAmong(["renovate"], manifest),
  report: (files, fields) => [
    ...files.map(({ path, text }) =>
      followUp(
        `${path} contained: ${squeeze(text)}. The workspace's settings apply now.`,
      ),
    ),
    ...fields.map(({ value }) =>
      followUp(`renovate in package.json was ${JSON.stringify(value)}.`),
    ),
  ],
});

/** Returns a short file as one line; for a long file, only the beginning. */
function squeeze(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
