// Lists functions of different files that are similar although their names differ: candidates for one function.
//
// usage: node scripts/measure/similar.mjs [--least=0.55] [--tokens=28]
//
// It replaces all names except those of the language and of common methods, and compares the sequences of five tokens: the
// similarity is the share that two functions have in common (Jaccard). Most pairs are only alike in form; reading decides.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    least: { type: "string", default: "0.55" },
    tokens: { type: "string", default: "28" },
  },
});
const root = resolve(import.meta.dirname, "../..");
const { parseSync } = createRequire(
  join(root, "packages/references/package.json"),
)("oxc-parser");

const KNOWN = new Set(
  `async await break catch class const continue default delete else export false for from function get if in instanceof let
  new null of return set static switch this throw true try typeof undefined void while yield
  Array Buffer Date Error JSON Map Math Number Object Promise RegExp Set String
  at concat endsWith entries every exec filter find findLast flatMap forEach fromEntries has includes indexOf join keys length
  map match matchAll max min parse push readFile reduce replace replaceAll slice some sort split startsWith stat stringify test
  toSorted toString trim values`.split(/\s+/),
);
const TOKEN = /[A-Za-z_$][\w$]*|"[^"]*"|`[^`]*`|\d+|[^\s\w]/g;
const LENGTH = 5;

/** Returns the functions of a file, each with its sequences of tokens. */
function functionsIn(file) {
  const text = readFileSync(join(root, file), "utf8");
  const found = [];
  const visit = (node, name) => {
    if (node === null || typeof node !== "object") return;
    const own = node.id?.name ?? node.key?.name;
    const isFunction = /Function/.test(node.type) && node.body;
    if (isFunction) {
      const code = text.slice(node.start, node.end);
      const tokens = (
        code.replace(/\/\*[^]*?\*\/|\/\/.*$/gm, "").match(TOKEN) ?? []
      ).map((token) =>
        /^[A-Za-z_$]/.test(token) && !KNOWN.has(token) ? "name" : token,
      );
      const sequences = new Set(
        tokens.map((_, at) => tokens.slice(at, at + LENGTH).join(" ")),
      );
      const line = text.slice(0, node.start).split("\n").length;
      const place = `${file}:${line} ${own ?? name ?? "?"}`;
      found.push({ file, place, count: tokens.length, sequences });
    }
    for (const child of Object.values(node))
      visit(child, own ?? (isFunction ? undefined : name));
  };
  visit(parseSync(file, text).program, undefined);
  return found.filter(({ count }) => count >= Number(values.tokens));
}

const list = ["ls-files", "packages/*/src/*.ts", "tools/*/src/*.ts"];
const functions = execFileSync("git", list, { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter((file) => file !== "" && !/\.test\.|\.d\.ts$/.test(file))
  .filter((file) => !/^packages\/(?:testing|application)\//.test(file))
  .flatMap(functionsIn);
const pairs = [];
for (const [index, one] of functions.entries())
  for (const other of functions.slice(index + 1)) {
    const [less, more] = [one, other].sort((a, b) => a.count - b.count);
    if (one.file === other.file || less.count < 0.6 * more.count) continue;
    let common = 0;
    for (const each of less.sequences) if (more.sequences.has(each)) common++;
    const all = less.sequences.size + more.sequences.size - common;
    const share = common / all;
    if (share >= Number(values.least))
      pairs.push({ share, size: less.count, one, other });
  }
pairs.sort((a, b) => b.share * b.size - a.share * a.size);
for (const { share, one, other } of pairs)
  console.log(`${share.toFixed(2)} ${one.place} | ${other.place}`);
console.log(`${pairs.length} pairs among ${functions.length} functions`);
