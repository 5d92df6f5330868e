/** The packages that a program loads because of an option, by the program and the option. */
export const LOADED_BY_OPTION: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ["vitest --coverage", ["@vitest/coverage-v8"]],
    ["vitest --coverage.enabled", ["@vitest/coverage-v8"]],
    ["vitest --ui", ["@vitest/ui"]],
    ["vitest --browser", ["@vitest/browser"]],
    ["vitest --dom", ["happy-dom"]],
    ["tsup --dts", ["typescript"]],
    ["webpack serve", ["webpack-dev-server"]],
    ["webpack --analyze", ["webpack-bundle-analyzer"]],
    ["astro check", ["@astrojs/check"]],
  ],
);

/** The package that a program loads if settings have a field but don't name another one in the field of the second name. */
export const LOADED_BY_FIELD: Readonly<
  Record<string, { readonly unless: string; readonly name: string }>
> = { coverage: { unless: "provider", name: "@vitest/coverage-v8" } };

/** The packages with which a program loads its own settings in TypeScript, by the beginning of the file's name. */
export const LOADERS_OF_SETTINGS = {
  jest: ["ts-node", "esbuild-register"],
  eslint: ["jiti"],
  webpack: ["ts-node", "esbuild-register", "sucrase"],
  karma: ["ts-node"],
} as const satisfies Readonly<Record<string, readonly string[]>>;
