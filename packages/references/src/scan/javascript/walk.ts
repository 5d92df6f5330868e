import type { Collector } from "../positions.js";
import type { Node } from "./ast.js";
import type { BareNames } from "./settings/bare-names.js";
import type { Names } from "./values/names.js";
import type { OwnGuesses } from "./own-guesses.js";
import type { Places } from "./values/places.js";

/** The state of the walk through one file. */
export interface Walk {
  readonly found: Collector;
  /** Strings that were handled. */
  readonly handled: Set<Node>;
  /** Parts of paths that are only compared. */
  readonly compared: Set<Node>;
  /** Paths that a call opens, and does nothing else with. */
  readonly opened: ReadonlySet<Node>;
  /** Paths of folders in which the program only makes other paths. */
  readonly folders: ReadonlySet<Node>;
  /** Paths that were noted, completely or with their ends. Only collected for constraints of Yarn. */
  readonly noted: Set<Node> | undefined;
  /** Names of functions that are a `require`, and of those that make one. */
  readonly required: Set<string>;
  readonly makers: Set<string>;
  readonly places: Places;
  readonly own: OwnGuesses;
  readonly bare: BareNames;
  /** `declare module "x"` declares the types of `x`, and doesn't add to them: the file loads nothing of `x`. */
  readonly isAmbient: boolean;
  /** The file contains a tool's settings. */
  readonly isSettings: boolean;
  /** The same, or the program calls a bundler with its settings. */
  readonly hasSettings: boolean;
  /** The names of the program; undefined if it is too large. */
  readonly names: (() => Names) | undefined;
  /** Names of packages in settings whose meaning is known. */
  readonly named: ReadonlySet<Node>;
}
