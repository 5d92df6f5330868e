import { findInSettings } from "../../secrets/settings.js";
import { followUp } from "../step.js";
import { removalStep } from "./removal.js";

const NAMES =
  /^(?:\.npmrc|\.yarnrc|\.yarnrc\.yml|\.pnpmfile\.cjs|pnpm-workspace\.yaml|bunfig\.toml|\.pnp\.cjs|\.pnp\.js|\.pnp\.loader\.mjs|\.yarn\/(?!patches\/).*)$/;

/** Removes settings of package managers. The report quotes them, without credentials. */
export const managerSettings = removalStep({
  id: "manager-settings",
  why: "Yarn also reads the settings of the folder it is called in: they would apply only in this package",
  files: ({ inside }) => NAMES.test(inside),
  report: (files) =>
    files
      .filter(({ inside }) => !inside.startsWith(".yarn/"))
      .flatMap(({ path, text, inside }) => {
        if (inside.startsWith(".pnp")) return [];
        const settings = settingsIn(text);
        return settings.length === 0
          ? []
          : [
              followUp(
                `${path} contained ${settings.join("; ")}: move what you still need to the root's .yarnrc.yml.`,
              ),
            ];
      }),
});

/** Returns all lines except comments and empty ones. For a credential, it returns only the key. */
function settingsIn(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^[#;]/.test(line))
    .map((line) =>
      findInSettings(line).length > 0 ||
      /_?auth|token|password|passwd|secret|cert|key/i.test(line)
        ? `${line.replace(/([=:])\s*[^=:]*$/, "$1")} (not shown)`
        : line,
    );
}
