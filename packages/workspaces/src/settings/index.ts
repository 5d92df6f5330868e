export { parseSettings } from "./parse-settings.js";
export { SettingsError } from "./readers.js";
export { defaultSettings } from "./settings.js";
export type { Settings } from "./settings.js";
