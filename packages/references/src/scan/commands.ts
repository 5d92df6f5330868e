/** Programs that run packages' scripts and programs. */
export const RUNNERS = "yarn|jlpm|npm|npx|pnpm|bun|bunx|turbo|nx|lerna|lage|ng";
/** Programs that load the packages that their options name. */
export const LOADERS =
  "node|mocha|jest|vitest|ava|nyc|c8|eslint|prettier|stylelint|babel|babel-node|ts-node|tsx|swc|typedoc|graphql-codegen|commitlint|semantic-release|rollup|webpack";
