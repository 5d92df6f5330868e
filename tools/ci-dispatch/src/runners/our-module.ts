import { join } from "node:path";

/** Our modules that run inside of test programs, and the functions in them that make their default exports. */
const MAKERS = {
  "jest-sequencer": "makeSequencer",
  "playwright-reporter": "makeReporter",
  "vitest-reporter": "makeReporter",
} as const;

/** A module that a test program loads. */
export interface OurModule {
  readonly path: string;
  readonly text: string;
}

/** Returns the path of a module in a folder. */
export function modulePath(folder: string, name: keyof typeof MAKERS): string {
  return join(folder, `${name}.mjs`);
}

/**
 * Returns a module whose default export is made by one of our own modules.
 * @param args the arguments of the function that makes it, as JavaScript
 */
export function ourModule(
  folder: string,
  name: keyof typeof MAKERS,
  args: string,
): OurModule {
  const source = new URL(`./${name}.js`, import.meta.url).href;
  const maker = MAKERS[name];
  return {
    path: modulePath(folder, name),
    text: `import { ${maker} } from ${JSON.stringify(source)};\nexport default ${maker}(${args});\n`,
  };
}
