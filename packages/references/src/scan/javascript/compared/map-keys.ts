import { listOf, nameOf, withoutTypes, type Node } from "../ast.js";

/**
 * Keys of objects in which a file only looks values up: `const images = { "@acme/api": "api:1" }` with `images[name]`. Such a
 * key is never a value, so only a file that loads what a variable names can load the package that it names.
 */
export interface MapKeys {
  /** Remembers that the variables of a declaration are exported. */
  addExport(declaration: Node): void;
  /** Remembers the keys of a variable's first value, if the file only looks values up in it. */
  addVariable(declarator: Node): void;
  /** Returns whether a string is such a key. */
  has(literal: Node): boolean;
}

/** @param text the whole file */
export function openMapKeys(text: string): MapKeys {
  const exported = new Set<unknown>();
  const keys = new Set<unknown>();
  return {
    addExport({ declaration }) {
      const variables = declaration as Node | null | undefined;
      for (const each of variables ? listOf(variables, "declarations") : [])
        exported.add(each);
    },
    addVariable(declarator) {
      const object = withoutTypes(declarator["init"]);
      if (object?.type !== "ObjectExpression" || exported.has(declarator))
        return;
      const strings = listOf(object, "properties").flatMap(({ key }) =>
        (key as Node | undefined)?.type === "Literal" ? [key] : [],
      );
      if (strings.length > 0 && onlyLooksUp(text, nameOf(declarator["id"])))
        for (const key of strings) keys.add(key);
    },
    has: (literal) => keys.has(literal),
  };
}

/** Returns whether a text mentions a variable only in its declaration, in `name[key]` and in `name.key`. */
function onlyLooksUp(text: string, name: string): boolean {
  if (!/^\w+$/.test(name)) return false;
  const mentions = text.matchAll(
    new RegExp(
      String.raw`(?<![\w$])${name}(?![\w$])(\s*(?:\?\.|!)?\s*[[.])?`,
      "g",
    ),
  );
  let others = 0;
  for (const [, lookup] of mentions) if (lookup === undefined) others++;
  return others === 1;
}
