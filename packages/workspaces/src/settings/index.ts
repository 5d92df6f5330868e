export { parseSettings } from "./parse-settings.js";
export { SettingsError } from "./readers.js";
export { defaultSettings, type Settings } from "./settings.js";
