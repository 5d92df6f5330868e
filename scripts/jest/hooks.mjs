// Resolves `@jest/globals` to the functions of the test file that runs.
const globals = new URL("globals.mjs", import.meta.url).href;

/** Node's hook. */
export function resolve(specifier, context, next) {
  return specifier === "@jest/globals"
    ? { url: globals, format: "module", shortCircuit: true }
    : next(specifier, context);
}
