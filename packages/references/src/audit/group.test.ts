import { expect, test } from "@jest/globals";
import { groupByCause, type Finding } from "./group.js";

/** `path-string a b x.ts:1:2`: a file of a refers to b; `*` at the end: its end is unknown. The column may be missing. */
function finding(line: string): Finding {
  const [kind = "", from = "", to = "", place = ""] = line.split(" ");
  const [file = "", number = "", column = "1"] = place.split(":");
  return {
    kind: kind as Finding["kind"],
    manifest: file.startsWith("inner/") ? "inner" : from,
    crossing: {
      from,
      to,
      file,
      line: Number.parseInt(number, 10),
      column: Number.parseInt(column, 10),
      kind: "path-string",
      specifier: "x",
      partial: place.endsWith("*"),
      target: { kind: "path", path: to },
    },
  };
}

test.each<[title: string, findings: string, causes: string]>([
  [
    "a listing of all packages",
    "path-string a d x:1*, path-string a b x:1*, path-string a c x:1*",
    "path-string b +c,d x:1",
  ],
  [
    "two listings",
    "path-string a b x:1*, path-string a c x:1*, path-string a b x:2*, path-string a c x:2*",
    "path-string b +c x:1; path-string b +c x:2",
  ],
  [
    "a place in a package that is a path, and the beginning of one",
    "path-string a b x:1, path-string a b x:1*",
    "path-string b x:1",
  ],
  [
    "two listings of the same folder in one line",
    "path-string a b x:1:5*, path-string a c x:1:5*, path-string a b x:1:9*, path-string a c x:1:9*",
    "path-string b +c x:1",
  ],
  [
    "a path in which a variable has several values, and another path in its line",
    "path-string a b x:1:5, path-string a c x:1:5, path-string a d x:1:9",
    "path-string b +c x:1; path-string d x:1",
  ],
  [
    "one need in many places",
    "path-import a b x:1, path-import a b y:1, path-import a c x:2",
    "path-import b x:1 y:1; path-import c x:2",
  ],
  [
    "places that one declaration fixes",
    "path-string a b w:1, undeclared-dependency a b x:1, settings a b y:1, symlink a b z:1, settings c b y:1",
    "undeclared-dependency b x:1 w:1 y:1 z:1; settings b y:1",
  ],
  [
    "one need of two manifests, each with a fix of its own",
    "undeclared-dependency a b inner/x:1, undeclared-dependency a b x:1, settings a b inner/y:1",
    "undeclared-dependency b inner/x:1 inner/y:1; undeclared-dependency b x:1",
  ],
  [
    "one place found twice",
    "path-import a b x:1, path-string a b x:1",
    "path-import b x:1",
  ],
  [
    "an import by path, which no declaration fixes",
    "undeclared-dependency a b x:1, path-import a b y:1",
    "undeclared-dependency b x:1; path-import b y:1",
  ],
  [
    "a listing beside a use",
    "undeclared-dependency a b x:1, path-string a b y:1*, path-string a c y:1*",
    "undeclared-dependency b x:1; path-string b +c y:1",
  ],
])("%s", (_, lines, causes) => {
  expect(
    groupByCause(lines.split(", ").map(finding))
      .map(({ kind, to, others, places }) =>
        [
          kind,
          to,
          ...(others.length > 0 ? [`+${others.join(",")}`] : []),
          ...places.map(({ file, line }) => `${file}:${line}`),
        ].join(" "),
      )
      .join("; "),
  ).toBe(causes);
});
