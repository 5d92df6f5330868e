import { Failure } from "@skein/reporting";
import { expect, test } from "@jest/globals";
import { factsAskedFor, readFilters, selectPackages } from "./select.js";
import { toyGraph } from "./toy-graph.test.support.js";

const graph = toyGraph(
  { root: ".", "@acme/ui": "packages/ui", "@acme/web": "apps/web" },
  [["@acme/web", "@acme/ui"]],
);
const context = {
  affected: new Set(["@acme/ui"]),
  ownersOf: () => ["@ada"],
  tagsOf: () => ["app"],
};
const select = (...texts: string[]) =>
  selectPackages(readFilters(texts), graph, context);

/** Returns the text that the user sees: the failure's message and hint. */
function complaint(...texts: string[]): string {
  try {
    select(...texts);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    expect(error.exitCode).toBe(2);
    return `${error.message}\n${error.hint === undefined ? "" : `hint: ${error.hint}\n`}`;
  }
  throw new Error("nothing was wrong");
}

test("filters narrow one another, and none selects everything", () => {
  expect([...select()]).toEqual(["root", "@acme/ui", "@acme/web"]);
  expect([...select("@acme/*", "not affected()")]).toEqual(["@acme/web"]);
});

test.each([
  [
    "@acme/ui | depndents(root)",
    `\
there is no function depndents()
  @acme/ui | depndents(root)
             ^^^^^^^^^
hint: did you mean dependents()?
`,
  ],
  [
    "foo(a)",
    `\
there is no function foo()
  foo(a)
  ^^^
hint: the functions are owner(), tag(), dependents(), dependencies(), affected()
`,
  ],
  [
    "dependents(ui)",
    `\
no package is named ui
  dependents(ui)
             ^^
hint: did you mean @acme/ui?
`,
  ],
  [
    "./apps/wbe",
    `\
no package has the folder ./apps/wbe
  ./apps/wbe
  ^^^^^^^^^^
hint: did you mean ./apps/web?
`,
  ],
  [
    "packages/* | @acme/web",
    `\
no package's name matches packages/*
  packages/* | @acme/web
  ^^^^^^^^^^
hint: did you mean ./packages/*?
`,
  ],
  [
    "./libs/**",
    `\
no package's folder matches ./libs/**
  ./libs/**
  ^^^^^^^^^
`,
  ],
  [
    "@acme/ui - owner(@bob)",
    `\
no package is owned by @bob
  @acme/ui - owner(@bob)
             ^^^^^^^^^^^
hint: \`affected graph --format json\` shows the owners of each package
`,
  ],
  [
    "not tag(ap)",
    `\
no package has the tag ap
  not tag(ap)
      ^^^^^^^
hint: did you mean app?
`,
  ],
  [
    "tag(nightly)",
    `\
no package has the tag nightly
  tag(nightly)
  ^^^^^^^^^^^^
hint: tags are given in skein.json, in "tags"
`,
  ],
  [
    "(root | @acme/ui",
    `\
this parenthesis is never closed
  (root | @acme/ui
  ^
`,
  ],
  [
    "root |",
    `\
the filter ends where a package, a glob, a function or ( is expected
  root |
        ^
`,
  ],
  [
    "root @acme/ui",
    `\
an operator (|, &, - or not) is expected here, not @acme/ui
  root @acme/ui
       ^^^^^^^^
`,
  ],
  [
    "root -@acme/ui",
    `\
an operator (|, &, - or not) is expected here, not -@acme/ui
  root -@acme/ui
       ^^^^^^^^^
hint: the operator - needs spaces around it
`,
  ],
  [
    "root)",
    `\
an operator (|, &, - or not) is expected here, not )
  root)
      ^
`,
  ],
  [
    "affected(root)",
    `\
an operator or ) is expected here, not root
  affected(root)
           ^^^^
`,
  ],
  [
    "owner()",
    `\
owner() needs an argument
  owner()
  ^^^^^
hint: write owner(@team)
`,
  ],
  [
    "dependents()",
    `\
dependents() needs an argument
  dependents()
  ^^^^^^^^^^
hint: write dependents(query) or dependents(query, depth)
`,
  ],
  [
    "dependents(root, 0)",
    `\
a depth is a whole number from 1
  dependents(root, 0)
                   ^
`,
  ],
  [
    "!root",
    `\
! isn't an operator here
  !root
  ^
hint: for everything but x write: not x
`,
  ],
  [
    "'root",
    `\
this quote is never closed
  'root
  ^
`,
  ],
  [
    "''",
    `\
there is nothing between the quotes
  ''
  ^^
`,
  ],
  [
    "  ",
    `\
the filter is empty
    
  ^^
hint: for every package write **
`,
  ],
  [
    "'日本\n\u001b2J' | root",
    `\
no package is named 日本\\n\\u001b2J
  '日本\\n\\u001b2J' | root
  ^^^^^^^^^^^^^^^^
`,
  ],
])("%j is answered with words and a caret", (text, words) => {
  expect(complaint(text)).toBe(words);
});

test("only what the filters ask for has to be read", () => {
  expect(factsAskedFor(readFilters(["a & b | ./c - not **"]))).toEqual(
    new Set(),
  );
  expect(
    factsAskedFor(
      readFilters(["dependents(not (affected() & x))", "a - (b | tag(y))"]),
    ),
  ).toEqual(new Set(["affected", "tag"]));
});
