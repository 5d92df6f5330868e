import { writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Our modules that run inside of test programs, and the functions in them that make their default exports. */
const MAKERS = {
  "jest-sequencer": "makeSequencer",
  "playwright-reporter": "makeReporter",
  "vitest-reporter": "makeReporter",
} as const;

/** Returns the path of the module that `writeModule` writes. */
export function modulePath(folder: string, name: keyof typeof MAKERS): string {
  return join(folder, `${name}.mjs`);
}

/**
 * Writes a module that a test program loads. Its default export is made by one of our own modules.
 * @param args the arguments of the function that makes it, as JavaScript
 * @returns its path
 */
export async function writeModule(
  folder: string,
  name: keyof typeof MAKERS,
  args: string,
): Promise<string> {
  const path = modulePath(folder, name);
  const source = new URL(`./${name}.js`, import.meta.url).href;
  const maker = MAKERS[name];
  await writeFile(
    path,
    `import { ${maker} } from ${JSON.stringify(source)};\nexport default ${maker}(${args});\n`,
  );
  return path;
}
