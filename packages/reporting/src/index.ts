export { ExitCode } from "./exit-codes.js";
export { Failure, usageFailure } from "./failure.js";
export type { FailureOptions, Place } from "./failure.js";
export { renderFailure, runCli } from "./run-cli.js";
export type { CliWorld, Out } from "./run-cli.js";
