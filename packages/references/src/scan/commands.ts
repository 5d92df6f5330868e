/** Programs that run packages' scripts and programs. */
export const RUNNERS = "yarn|npm|npx|pnpm|turbo|nx|lerna";
/** Programs that load the packages that their options name. */
export const LOADERS =
  "node|mocha|jest|vitest|ava|nyc|c8|eslint|prettier|stylelint|babel|babel-node|ts-node|tsx|swc|typedoc|graphql-codegen|commitlint|semantic-release|rollup|webpack";
/** A command without any of these has no option or word that selects packages. Most scripts are shorter than the search. */
export const MAY_SELECT = /-|workspace|nx/;
