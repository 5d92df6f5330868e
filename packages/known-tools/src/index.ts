export { PLAIN_PROGRAMS } from "./command-words.js";
export { LOADED_BY_CONVENTION } from "./conventions.js";
export {
  FIELD_OF_OPTION,
  FIELDS,
  fieldsWhere,
  LOADING_OPTIONS,
  MANIFEST_FIELDS,
  namesIn,
  namesPackages,
} from "./fields.js";
export type { Field, KnownField } from "./fields.js";
export { FOREIGN_PROGRAMS, packagesOf, programsOf } from "./find-tool.js";
export { PACKAGE_MANAGERS, programsIn } from "./programs.js";
export type { ScriptPrograms } from "./programs.js";
export { SETTINGS_NAMES, settingsOf } from "./tool.js";
export type { Purpose, SettingsGroup, SettingsName, Tool } from "./tool.js";
export { TOOLS } from "./tools.js";
