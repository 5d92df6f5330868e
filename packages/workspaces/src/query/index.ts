export {
  codeownersPaths,
  ownersOfPackage,
  ownersOfPath,
  parseCodeowners,
} from "./codeowners.js";
export type { Codeowners, OwnerLineProblem, OwnerRule } from "./codeowners.js";
export { evaluateQuery } from "./evaluate.js";
export type { Evaluation, QueryContext } from "./evaluate.js";
export { parseQuery } from "./parse.js";
export type { Parsed } from "./parse.js";
export { nameMatcher, readPattern } from "./patterns.js";
export { printQuery } from "./print.js";
export { describeProblem } from "./problems.js";
export type { Remark } from "./problems.js";
export { factsAskedFor, readFilters, selectPackages } from "./select.js";
export type { Filter } from "./select.js";
export type { Query, QueryProblem, Span } from "./syntax.js";
export { tagReader } from "./tags.js";
export type { TagSettings } from "./tags.js";
