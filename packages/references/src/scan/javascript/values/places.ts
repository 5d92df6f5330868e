import {
  type BeginningText,
  isJoined,
  isNode,
  nameOf,
  type Node,
  textOf,
} from "../ast.js";
import { isArgument } from "./argument-values.js";
import { wordsOf, type Following } from "./following.js";
import { HERE, placeOf } from "./place-of.js";
import { MAKES_PLACES, type Place } from "./place.js";
import { ARGUMENTS, readScopes, type Binding, type Scope } from "./scopes.js";
import { openBranchChoices } from "./branch-choices.js";

/** The paths that one file's expressions make, by the names that it gives them. */
export interface Places {
  /**
   * Enters a node of the walk, so that names have the meaning of that scope.
   * @returns whether the caller must leave it again
   */
  enter(node: Node): boolean;
  leave(): void;
  /**
   * Returns all places that an expression may mean: one for each branch of `a ? b : c` and `a ?? b`, and for each value of a
   * variable; none if it isn't a path, or if its beginning isn't known.
   */
  all(node: unknown): readonly Place[];
  /** Returns all texts that a string may have, one for each value of the names in it. */
  texts(node: unknown): readonly BeginningText[];
  /** Returns the texts of a string, and those of a name that constants give it. */
  words(node: unknown): readonly BeginningText[];
  /** Returns all names that a part of a path may be, by the constants and loops of the file; none if it may be another one. */
  readonly names: (part: Node) => readonly string[];
}

/** A name, or a path that goes down. */
const NAME = /^@?[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/;
/** A call that loads the module of a variable, whose value a constant may give. */
const LOADS_NAME = /\b(?:require|import)\s*\(\s*[A-Za-z_$]/;

/** The maximum number of combinations of branches. If an expression has more, no branch is considered known. */
const MOST_COMBINATIONS = 32;

/**
 * Follows a file's own folder through `path.join`, `dirname`, `new URL`, templates, sums and variables. If a path begins with
 * something else and goes up (`join(root, "../x")`, `root + "/../x"`), it is treated as relative to the file's folder.
 * @param text the whole file
 * @param isWhole whether the program is the whole file, too
 */
export function openPlaces(
  program: Node,
  text: string,
  isWhole: boolean,
): Places {
  const makesPlaces = MAKES_PLACES.test(text) || LOADS_NAME.test(text);
  const scopes = makesPlaces
    ? readScopes(program, text)
    : new Map<Node, Scope>();
  const following: Following = {
    scopes,
    outer: [],
    scope: scopes.get(program),
    asked: new Set(),
    isArgument: isWhole && ARGUMENTS.test(text) ? isArgument : () => false,
    choices: openBranchChoices(MOST_COMBINATIONS),
  };
  const ofBindings = new Map<Binding, readonly Place[]>();
  const words = (node: unknown) =>
    following.choices.all(() => wordsOf(node, following));
  return {
    enter: (node) => enter(node, following),
    leave() {
      following.scope = following.outer.pop();
    },
    all: (node) => placesOf(node, following, ofBindings),
    texts(node) {
      const text = textOf(node);
      if (isWhole && makesPlaces && (text?.partial ?? isJoined(node)))
        return words(node);
      return text ? [text] : [];
    },
    words,
    names: (part) => {
      const all = following.choices.all(
        () => wordsOf(part, following) ?? { text: "", partial: true },
      );
      return all.every(({ text, partial }) => !partial && NAME.test(text))
        ? all.map(({ text }) => text)
        : [];
    },
  };
}

const NONE: readonly Place[] = [];

/**
 * Returns all places that an expression may mean. Every name of a program is asked about, and most of them aren't places.
 * @param ofBindings the places of the names that were asked about before
 */
function placesOf(
  value: unknown,
  following: Following,
  ofBindings: Map<Binding, readonly Place[]>,
): readonly Place[] {
  const ask = () => following.choices.all(() => placeOf(value, following));
  if (!isNode(value)) return NONE;
  const name = value.type === "Identifier" ? nameOf(value) : "";
  if (name === "" || Object.hasOwn(HERE, name)) return ask();
  const binding = following.scope?.find(name);
  if (!binding) return NONE;
  const known = ofBindings.get(binding) ?? ask();
  ofBindings.set(binding, known);
  return known;
}

/**
 * Enters the scope that a node opens.
 * @returns whether there is one
 */
function enter(node: Node, following: Following): boolean {
  const inner = following.scopes.get(node);
  if (!inner || !following.scope) return false;
  following.outer.push(following.scope);
  following.scope = inner;
  return true;
}
