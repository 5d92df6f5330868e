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

/** Answers that are separated by empty lines. The second line of each repeats its filter. */
const ANSWERS = `\
there is no function depndents()
  @acme/ui | depndents(root)
             ^^^^^^^^^
hint: did you mean dependents()?

there is no function foo()
  foo(a)
  ^^^
hint: the functions are owner(), tag(), dependents(), dependencies(), affected()

no package is named ui
  dependents(ui)
             ^^
hint: did you mean @acme/ui?

no package has the folder ./apps/wbe
  ./apps/wbe
  ^^^^^^^^^^
hint: did you mean ./apps/web?

no package's name matches packages/*
  packages/* | @acme/web
  ^^^^^^^^^^
hint: did you mean ./packages/*?

no package's folder matches ./libs/**
  ./libs/**
  ^^^^^^^^^

no package is owned by @bob
  @acme/ui - owner(@bob)
             ^^^^^^^^^^^
hint: \`affected graph --format json\` shows the owners of each package

no package has the tag ap
  not tag(ap)
      ^^^^^^^
hint: did you mean app?

no package has the tag nightly
  tag(nightly)
  ^^^^^^^^^^^^
hint: tags are given in skein.json, in "tags"

this parenthesis is never closed
  (root | @acme/ui
  ^

the filter ends where a package, a glob, a function or ( is expected
  root |
        ^

an operator (|, &, - or not) is expected here, not @acme/ui
  root @acme/ui
       ^^^^^^^^

an operator (|, &, - or not) is expected here, not -@acme/ui
  root -@acme/ui
       ^^^^^^^^^
hint: the operator - needs spaces around it

an operator (|, &, - or not) is expected here, not )
  root)
      ^

an operator or ) is expected here, not root
  affected(root)
           ^^^^

owner() needs an argument
  owner()
  ^^^^^
hint: write owner(@team)

dependents() needs an argument
  dependents()
  ^^^^^^^^^^
hint: write dependents(query) or dependents(query, depth)

a depth is a whole number from 1
  dependents(root, 0)
                   ^

! isn't an operator here
  !root
  ^
hint: for everything but x write: not x

this quote is never closed
  'root
  ^

there is nothing between the quotes
  ''
  ^^
`;

test.each([
  ...ANSWERS.split(/(?<=\n)\n/).map((words) => [
    words.split("\n")[1]?.slice(2) ?? "",
    words,
  ]),
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
