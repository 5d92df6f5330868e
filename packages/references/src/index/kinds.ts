import type { ReferenceKind } from "../reference.js";

/** What a kind of reference means for the files around its target. */
export interface KindTraits {
  /** When the target is a folder, everything in it may be meant, even if the specifier is whole. */
  readonly takesFolders: boolean;
  /** It loads or runs the file: a test file that is referred to like this is more than a test. */
  readonly loads: boolean;
  /** Nobody knows what the string is for: only a hit on something of another owner says anything. */
  readonly isGuess: boolean;
}

const loads = { takesFolders: false, loads: true, isGuess: false };
const folders = { takesFolders: true, loads: true, isGuess: false };
const selects = { takesFolders: true, loads: false, isGuess: false };

/** Every kind, so that a new one does not compile without its traits. */
export const KIND_TRAITS: Readonly<Record<ReferenceKind, KindTraits>> = {
  import: loads,
  export: loads,
  "dynamic-import": loads,
  require: loads,
  type: loads,
  mock: loads,
  url: folders,
  "path-string": { takesFolders: true, loads: true, isGuess: true },
  symlink: folders,
  extends: folders,
  "tsconfig-reference": loads,
  "tsconfig-include": selects,
  "tsconfig-paths": selects,
  config: folders,
  entry: loads,
  script: folders,
  "test-script": selects,
  style: loads,
};
