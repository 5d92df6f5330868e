import type { Knowledge, Look } from "../look.js";
import { collect } from "./collect.js";
import {
  entriesOf,
  memberOf,
  readExported,
  readJson,
  stringsOf,
} from "./literal.js";

const FILES = ["js", "cjs", "mjs", "ts"].map((end) => `lage.config.${end}`);

/**
 * Reads lage's settings: `pipeline`, with a list of words or `{"dependsOn": […], "inputs": […]}` per script, and
 * `cacheOptions.environmentGlob`, the files whose changes affect everything. It parses the settings and never runs
 * them.
 * @see https://microsoft.github.io/lage/docs/reference/config
 */
export function lageKnowledge({
  files,
  packages,
}: Look): Knowledge | undefined {
  const file = FILES.find((name) => files[name] !== undefined);
  const inManifest = memberOf(readJson(files["package.json"] ?? ""), "lage");
  if (file === undefined && inManifest === undefined) return undefined;
  const settings =
    file === undefined ? inManifest : readExported(file, files[file] ?? "");
  const found = collect("lage", file ?? "package.json", packages);
  const pipeline = memberOf(settings, "pipeline");
  if (pipeline === undefined)
    found.note("its pipeline is computed, and is not imported");
  for (const [script, value] of entriesOf(pipeline)) {
    const words = Array.isArray(value)
      ? stringsOf(value)
      : stringsOf(memberOf(value, "dependsOn"));
    // `^^build` means the builds of all dependencies, direct or not. `^build` is enough, because each of those builds
    // waits for its own dependencies.
    found.before(
      script,
      words.map((word) => word.replace(/^\^+/, "^")),
    );
    found.inputs(
      script,
      stringsOf(memberOf(value, "inputs")).filter((glob) =>
        glob.startsWith("!"),
      ),
    );
  }
  const options = memberOf(settings, "cacheOptions");
  found.everything(
    stringsOf(memberOf(options, "environmentGlob")).filter(
      (glob) => !glob.startsWith("!"),
    ),
  );
  return found.done();
}
