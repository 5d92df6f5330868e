export { ExitCode } from "./exit-codes.js";
export {
  Failure,
  ifMissing,
  systemWords,
  usageFailure,
  type Place,
} from "./failure.js";
export {
  assertReadable,
  readRegularFile,
  readRegularText,
  streamRegularFile,
} from "./regular-file.js";
export { renderFailure, runCli, type CliWorld, type Out } from "./run-cli.js";
export { isAlive } from "./is-alive.js";
export { worldOf } from "./world-of.js";
export { inertLog, workflowCommand } from "./actions.js";
export { count, formatBytes, formatDuration, formatNumber } from "./amounts.js";
export { palette, wantsColour } from "./colour.js";
export { markdownCode, markdownTable, markdownText } from "./markdown.js";
export { didYouMean, nearest } from "./nearest.js";
export {
  printable,
  printableLines,
  some,
  withoutControls,
} from "./printable.js";
export { withoutSecrets } from "./secrets.js";
export { renderTable, type Column, type TableOptions } from "./table.js";
export { cutTo, displayWidth } from "./width.js";
export { writeText } from "./write-text.js";
export { writeWords } from "./wrap-words.js";
