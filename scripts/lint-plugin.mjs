import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

// Rules of our own for oxlint (.oxlintrc.json). oxlint has no `no-restricted-syntax`, and `no-restricted-imports` lists what is
// forbidden; the decisions need a list of what is allowed. packages/application/src/lint.test.ts has an example of each report.
const ENGINES = "/^(GITHUB|GH|GITLAB|CI|BUILDKITE)(_|$)/";

const noCiVariables = {
  create(context) {
    const report = (node) => {
      context.report({
        node,
        message:
          "Only packages/ci reads a CI engine's variables: ask `ciOf(env)` or `githubAccessOf(env)`.",
      });
    };
    return {
      [`MemberExpression > Literal[value=${ENGINES}]`]: report,
      [`ObjectPattern > Property[key.name=${ENGINES}]`]: report,
    };
  },
};

const ANYTHING = () => true;
const only =
  (...names) =>
  (name) =>
    names.includes(name);

/**
 * The modules that decisions, and the files of their own package behind them, may import, and the names in these modules: everything from a module
 * without I/O, and only pure functions from a module that also reads and writes. Types are always allowed.
 */
const PURE = new Map([
  ["@skein/changes", only("repositoryFailure")],
  ["@skein/ci", only("ciOf")],
  ["@skein/delivery-metrics", ANYTHING],
  ["@skein/fingerprint", ANYTHING],
  ["@skein/fingerprint/components", ANYTHING],
  ["@skein/fingerprint/digest", ANYTHING],
  ["@skein/git", only("GitError", "RepositoryError", "shellWord")],
  ["@skein/known-tools", ANYTHING],
  [
    "@skein/reporting",
    (name) =>
      !/^(?:assertReadable|read|renderFailure|run|stream|wantsColour|worldOf|default$|\*)/.test(
        name,
      ),
  ],
  ["@skein/reporting/canonical-json", ANYTHING],
  ["@skein/reporting/group-by", ANYTHING],
  ["@skein/reporting/is-record", ANYTHING],
  ["@skein/reporting/json", ANYTHING],
  ["@skein/reporting/json-fields", ANYTHING],
  ["@skein/reporting/junit", ANYTHING],
  ["@skein/reporting/markup", ANYTHING],
  [
    "@skein/runner",
    only(
      "isBad",
      "isHarmlessCoverage",
      "isHarmlessReporter",
      "judgingSettings",
      "renderUnit",
      "reportJson",
      "statusWords",
    ),
  ],
  ["@skein/versions", only("globMatches")],
  ["@skein/workspaces", only("POOL_NAME", "defaultSettings", "nameMatcher")],
  ["d3-scale", ANYTHING],
  ["d3-shape", ANYTHING],
  ["diff", ANYTHING],
  ["jsonc-parser", ANYTHING],
  ["node:crypto", only("createHash", "hash")],
  ["node:path", only("join", "posix", "relative", "sep")],
  ["node:url", only("pathToFileURL")],
  ["node:util", only("stripVTControlCharacters")],
  ["oxc-parser", ANYTHING],
  ["picomatch", ANYTHING],
  ["semver", ANYTHING],
]);

/** Returns the name of a specifier's import, or `*`; undefined if it imports a type. */
function importedName(specifier) {
  if (specifier.importKind === "type" || specifier.exportKind === "type")
    return undefined;
  if (specifier.type === "ImportDefaultSpecifier") return "default";
  const name = specifier.imported ?? specifier.local;
  return specifier.type === "ImportSpecifier" ||
    specifier.type === "ExportSpecifier"
    ? (name.name ?? name.value)
    : "*";
}

/** An import or export of values in the text of a file: its names, and its module. */
const IMPORTS =
  /^(?:import|export)\s+(?!type\s)(?:([^;"]*?)\s+from\s+)?"([^"]+)"/gm;

/** By file: the first import that decisions may not use, in the file or behind it. A file being followed has none, which ends cycles. */
const impureImports = new Map();

/** Returns the import because of which decisions may not use a file: a decision that calls a neighbour with I/O does I/O itself. */
function impureImportOf(file) {
  if (!impureImports.has(file)) {
    impureImports.set(file, undefined);
    const text = existsSync(file) ? readFileSync(file, "utf8") : "";
    for (const [, clause = "*", source] of text.matchAll(IMPORTS)) {
      const names = clause
        .split(/[{},]/)
        .map((each) => each.trim().split(/\s/)[0])
        .filter((each) => each !== "" && each !== "type");
      const impure = names.length > 0 && impurePart(file, source, names);
      if (impure) {
        impureImports.set(file, impure);
        break;
      }
    }
  }
  return impureImports.get(file);
}

/** Returns the part of an import that decisions may not use; undefined if there is none. */
function impurePart(file, source, names) {
  if (/^\.\.?\//.test(source)) {
    const target = join(dirname(file), source.replace(/js$/, "ts"));
    const impure = impureImportOf(target);
    if (!impure || impure.includes(" in ")) return impure;
    return `${impure} in ${relative(process.cwd(), target)}`;
  }
  const allows = PURE.get(source);
  if (!allows) return `"${source}"`;
  const name = names.find((each) => !allows(each));
  return name && `\`${name}\` of "${source}"`;
}

const pureImports = {
  create(context) {
    const report = (node, what) => {
      context.report({
        node,
        message: `Pure by design: facts come in as arguments. ${what} isn't among the imports that scripts/lint-plugin.mjs allows here.`,
      });
    };
    const check = (node, names) => {
      const source = node.source?.value;
      if (typeof source !== "string")
        report(node, "A module of a computed name");
      else {
        const values = names.filter((name) => name !== undefined);
        const impure =
          (values.length > 0 || names.length === 0) &&
          impurePart(context.filename, source, values);
        if (impure) report(node, impure);
      }
    };
    return {
      ImportDeclaration(node) {
        if (node.importKind === "type") return;
        check(node, node.specifiers.map(importedName));
      },
      ExportNamedDeclaration(node) {
        if (node.source && node.exportKind !== "type")
          check(node, node.specifiers.map(importedName));
      },
      ExportAllDeclaration(node) {
        if (node.exportKind !== "type") check(node, ["*"]);
      },
      ImportExpression(node) {
        check(node, ["*"]);
      },
    };
  },
};

const noHiddenInputs = {
  create(context) {
    const clock = (node) => {
      context.report({
        node,
        message: "Only main.ts reads the clock; take `now` as an argument.",
      });
    };
    return {
      "NewExpression[callee.name='Date'][arguments.length=0]": clock,
      "CallExpression[callee.name='Date']": clock,
      ImportDeclaration(node) {
        if (node.source.value !== "node:crypto") return;
        for (const specifier of node.specifiers) {
          const name = importedName(specifier);
          if (/^(?:default|\*|webcrypto|generate|random|getRandom)/.test(name))
            context.report({
              node,
              message: `Only main.ts rolls dice; take randomness as an argument instead of \`${name}\`.`,
            });
        }
      },
    };
  },
};

export default {
  meta: { name: "skein" },
  rules: {
    "no-ci-variables": noCiVariables,
    "no-hidden-inputs": noHiddenInputs,
    "pure-imports": pureImports,
  },
};
