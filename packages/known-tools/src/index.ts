export { belongsToCi, isOfCi } from "./ci-files.js";
export {
  COPIERS,
  COPIES,
  isCheckScript,
  PLAIN_PROGRAMS,
  READERS,
  RUN_MANY,
  RUN_MODULES,
  RUN_SCRIPTS,
  SHELL_WALKS,
} from "./command-words.js";
export {
  FIELD_OF_OPTION,
  FIELD_OF_PROGRAM_OPTION,
  FIELDS,
  fieldsWhere,
  LOADING_OPTIONS,
  MANIFEST_FIELDS,
  namesIn,
  namesInEslint,
  namesPackages,
} from "./fields.js";
export type { KnownField } from "./fields.js";
export {
  FOREIGN_PROGRAMS,
  packagesOf,
  programsLoading,
  programsOf,
  programsWhere,
  toolCalled,
} from "./find-tool.js";
export { HARMLESS_MODULES } from "./inline-code.js";
export {
  CHECKS_IN_BUILDS,
  COMPILERS,
  LOADED_BY_CONVENTION,
  LOADED_BY_FIELD,
  LOADED_BY_OPTION,
  LOADERS_OF_SETTINGS,
} from "./loaded.js";
export {
  CALLED_OTHERWISE,
  FOLDERS_OF_PROGRAMS,
  LIBRARY_LOOKUPS,
  RECIPES_ABOVE,
} from "./lookups.js";
export {
  PACKAGE_MANAGERS,
  programsIn,
  startsInFolder,
  staysInFolder,
} from "./programs.js";
export type { ScriptPrograms } from "./programs.js";
export { SETTINGS_NAMES, settingsOf } from "./tool.js";
export type { SettingsName, Tool } from "./tool.js";
export { TOOLS } from "./tools.js";
export { EXTERNALS, takesEffectUnread } from "./unread.js";
