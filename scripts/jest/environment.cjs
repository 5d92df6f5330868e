// The environment of Jest's test files: the process itself (decision 112).

module.exports = class OwnProcess {
  /** Jest puts the console here that adds output to its reports. */
  global = {};
  fakeTimers = null;
  fakeTimersModern = null;
  #console = globalThis.console;

  setup() {
    globalThis.console = this.global.console;
  }

  teardown() {
    globalThis.console = this.#console;
  }

  getVmContext() {
    return null;
  }
};
