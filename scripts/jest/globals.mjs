// `@jest/globals` for test files that Node loads. All test files of a worker share this module, so each function looks up the
// one of the current test file.
const GLOBALS = Symbol.for("skein.jest.globals");

const current = (name) =>
  new Proxy(() => undefined, {
    apply: (_, self, args) => globalThis[GLOBALS][name](...args),
    get: (_, key) => globalThis[GLOBALS][name][key],
  });

export const afterAll = current("afterAll");
export const afterEach = current("afterEach");
export const beforeAll = current("beforeAll");
export const beforeEach = current("beforeEach");
export const describe = current("describe");
export const expect = current("expect");
export const test = current("test");
