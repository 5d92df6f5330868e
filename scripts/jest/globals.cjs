// `@jest/globals` for test files that Node loads. All test files of a worker share this module, so each function looks up the
// one of the current test file.
const GLOBALS = Symbol.for("skein.jest.globals");

const current = (name) =>
  new Proxy(() => undefined, {
    apply: (_, self, args) => globalThis[GLOBALS][name](...args),
    get: (_, key) => globalThis[GLOBALS][name][key],
  });

exports.afterAll = current("afterAll");
exports.afterEach = current("afterEach");
exports.beforeAll = current("beforeAll");
exports.beforeEach = current("beforeEach");
exports.describe = current("describe");
exports.expect = current("expect");
exports.test = current("test");
