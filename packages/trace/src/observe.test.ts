import { expect, test } from "@jest/globals";
import type { TraceEvent } from "./event.js";
import { Observer, type Observations } from "./observe.js";
import { PathResolver } from "./resolve-path.js";

type Lists = Partial<Record<keyof Observations, readonly string[]>>;

function observed(
  events: readonly TraceEvent[],
  links: Readonly<Record<string, string>> = {},
): Lists {
  const observer = new Observer(new PathResolver((path) => links[path]));
  for (const event of events) observer.take(event);
  return Object.fromEntries(
    Object.entries(
      observer.observations() as unknown as Record<string, Set<string>>,
    )
      .filter(([, paths]) => paths.size > 0)
      .map(([name, paths]) => [name, [...paths].sort()]),
  );
}

const read = (path: string): TraceEvent => ({ kind: "read", path });
const missing = (path: string): TraceEvent => ({ kind: "missing", path });
const make = (path: string): TraceEvent => ({ kind: "make", path });
const write = (path: string, emptied = true): TraceEvent => ({
  ...{ kind: "write", path, emptied },
});

const rows: readonly (readonly [string, readonly TraceEvent[], Lists])[] = [
  ["a file that is read", [read("/a")], { read: ["/a"] }],
  [
    "a file that it wrote itself isn't an input",
    [write("/a"), read("/a")],
    { changed: ["/a"] },
  ],
  [
    "a file that it read before writing is an input",
    [read("/a"), write("/a")],
    { read: ["/a"], changed: ["/a"] },
  ],
  [
    "a file that wasn't truncated may have the old content",
    [write("/a", false), read("/a")],
    { read: ["/a"], changed: ["/a"] },
  ],
  [
    "a missing file isn't looked up any more after it was written",
    [missing("/a"), write("/a", false), read("/a")],
    { missing: ["/a"], changed: ["/a"] },
  ],
  [
    "creating a folder requires that nothing exists there",
    [make("/d"), read("/d/x"), { kind: "list", path: "/d" }],
    { missing: ["/d"], changed: ["/d"] },
  ],
  [
    "after it deletes an existing file, the file isn't a missing input",
    [{ kind: "remove", path: "/a" }, missing("/a")],
    { found: ["/a"], changed: ["/a"] },
  ],
  [
    "it would have made a folder that exists",
    [
      { kind: "exists", path: "/d" },
      { kind: "found", path: "/d" },
      missing("/d/x"),
    ],
    { found: ["/d"], ensured: ["/d"], missing: ["/d/x"] },
  ],
  [
    "it looked for a folder before it tried to make it",
    [
      { kind: "found", path: "/d" },
      { kind: "exists", path: "/d" },
    ],
    { found: ["/d"] },
  ],
  [
    "a move reads the old name",
    [{ kind: "move", from: "/a", to: "/b" }, read("/b"), missing("/a")],
    { read: ["/a"], changed: ["/a", "/b"] },
  ],
  [
    "a product remains one if its folder is moved",
    [
      make("/t"),
      write("/t/x"),
      { kind: "move", from: "/t", to: "/dist" },
      read("/dist/x"),
    ],
    { missing: ["/t"], changed: ["/dist", "/t", "/t/x"] },
  ],
  [
    "its own socket isn't another process",
    [make("/s"), { kind: "connect", to: "file", address: "/s" }],
    { missing: ["/s"], changed: ["/s"] },
  ],
  [
    "a port that it opened, and one of another process",
    [
      { kind: "bind", port: "80" },
      { kind: "connect", to: "port", address: "80" },
      { kind: "connect", to: "port", address: "5432" },
    ],
    { sockets: ["port 5432"] },
  ],
  [
    "a symlink that it created leads to an input, even if it is deleted later",
    [
      { kind: "make", path: "/t", target: "/p" },
      missing("/t/x"),
      { kind: "remove", path: "/t" },
      missing("/t/y"),
    ],
    { missing: ["/p/x", "/t"], changed: ["/t"] },
  ],
  [
    "sockets and addresses of other processes",
    [
      { kind: "connect", to: "file", address: "/run/x" },
      { kind: "connect", to: "network", address: "1.2.3.4" },
    ],
    { sockets: ["/run/x"], network: ["1.2.3.4"] },
  ],
];
test.each(rows)("%s", (_, events, expected) => {
  expect(observed(events)).toEqual(expected);
});

test("symlinks on the way are inputs, and paths are resolved", () => {
  const links = { "/n/b": "/p/b", "/p/b/l": "x" };
  expect(
    observed(
      [
        read("/n/b/x"),
        { kind: "found", path: "/n/b/l" },
        { kind: "link", path: "/n/b" },
      ],
      links,
    ),
  ).toEqual({
    read: ["/p/b/x"],
    found: ["/p/b/x"],
    links: ["/n/b", "/p/b/l"],
    followed: ["/n/b", "/p/b/l"],
  });
});

test.each<readonly [string, readonly TraceEvent[], readonly string[]]>([
  ["only looked up", [{ kind: "link", path: "/n/b" }], []],
  ["only listed", [{ kind: "list", path: "/n/b" }], []],
  ["nothing found below", [missing("/n/b/x")], []],
  [
    "a file beside its target",
    [{ kind: "link", path: "/n/b" }, read("/p/bc")],
    [],
  ],
  ["a file above, by its path", [read("/n/b/../y")], ["/n/b"]],
  ["a file below, by its path", [read("/n/b/x")], ["/n/b"]],
  ["a program below", [{ kind: "execute", path: "/n/b/x" }], ["/n/b"]],
  [
    "a file below, after the program resolved the link itself",
    [{ kind: "link", path: "/n/b" }, read("/p/b/x")],
    ["/n/b"],
  ],
  [
    "a file below that it writes",
    [{ kind: "link", path: "/n/b" }, write("/p/b/x")],
    ["/n/b"],
  ],
])("a link that leads to %s", (_, events, followed) => {
  const { links, followed: found = [] } = observed(events, { "/n/b": "/p/b" });
  expect(links).toEqual(["/n/b"]);
  expect(found).toEqual(followed);
});
