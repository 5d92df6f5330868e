import type { References } from "./input.js";

/** The references of a project in which no file refers to another one. */
export const NO_REFERENCES: References = {
  edges: [],
  onwardOf: () => undefined,
  isOfYarn: () => false,
  listsFiles: () => false,
  usersOf: () => [],
  loadersOf: () => [],
  usersOfAside: () => undefined,
  tsconfigFolders: new Set(),
  scriptsOf: () => undefined,
  callersOf: () => new Set(),
  callsOfRootScript: () => [],
  ownerOfBin: () => undefined,
  referencesToExternal: () => [],
  languageUsersOf: () => new Set(),
  isClosed: () => false,
  shellOf: () => undefined,
  hasFile: () => false,
  namersOf: () => new Set(),
  unreadable: [],
};
