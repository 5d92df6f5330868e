/**
 * Returns the output of `jest --showConfig`, with the properties that are read.
 * @param all settings of the whole run
 * @param projects settings of further projects
 */
export const shownSettings = (
  all: Readonly<Record<string, unknown>> = {},
  ...projects: readonly Readonly<Record<string, unknown>>[]
) =>
  JSON.stringify(
    {
      configs: [{}, ...projects].map((project) => ({
        runner: "/ws/node_modules/jest-runner/build/index.js",
        ...project,
      })),
      globalConfig: {
        bail: 0,
        collectCoverage: false,
        testFailureExitCode: 1,
        testSequencer: "/ws/node_modules/@jest/test-sequencer/build/index.js",
        ...all,
      },
    },
    null,
    2,
  );
