// Yarn's `affected`, `migrate-repo` and `ci-dispatch`. They start the tools' bins without loading the project, which
// `yarn run` does first (2.4 s in a workspace of 5,000 packages). This is plain CommonJS without a build, because Yarn
// loads it before anything is installed or built. `yarn plugin import` evaluates the file in a context without `require` and
// `process`: only functions that the factory calls may use them, and they get the factory's `require`. Its names have no
// `node:`, which Yarn 2 and 3 don't support in plugins.
const TOOLS = ["affected", "migrate-repo", "ci-dispatch"];
/** Yarn's exit code before a command has set one. */
const ABOUT_TO_RUN = 42;

/** Finds the programs of tools. */
function openFinder(require) {
  const { existsSync, readFileSync } = require("fs");
  const { createRequire } = require("module");
  const { dirname, join } = require("path");

  /** Yields a folder and all folders above it. */
  function* upward(dir) {
    for (let here = dir, last; here !== last; last = here, here = dirname(here))
      yield here;
  }

  /**
   * Returns the path of the tool's program, found as Node finds packages, or in a checkout of Skein itself. Undefined
   * if it is not installed.
   */
  function findBin(tool, cwd) {
    for (const dir of upward(cwd))
      for (const home of [
        join(dir, "node_modules/@skein", tool),
        join(dir, "tools", tool),
      ]) {
        const file = join(home, "package.json");
        if (!existsSync(file)) continue;
        const { name, bin } = JSON.parse(readFileSync(file, "utf8"));
        if (name !== `@skein/${tool}`) continue;
        return join(home, typeof bin === "string" ? bin : bin[tool]);
      }
    return undefined;
  }

  /**
   * Returns the path of the tool's program with PnP. The package may be in an archive, so only Node with PnP's loader
   * can read it. Undefined without PnP.
   */
  function findPnpBin(tool, cwd) {
    const root = [...upward(cwd)].find((dir) =>
      existsSync(join(dir, ".pnp.cjs")),
    );
    if (root === undefined) return undefined;
    const file = join(root, ".pnp.cjs");
    const api = createRequire(file)(file);
    for (const issuer of [cwd, root]) {
      try {
        const home = api.resolveToUnqualified(
          `@skein/${tool}`,
          join(issuer, "/"),
        );
        return { root, bin: join(home, "bin", `${tool}.js`) };
      } catch {
        continue; // This package doesn't declare the tool. The root's own dependencies come next.
      }
    }
    return { root, bin: undefined };
  }

  return { findBin, findPnpBin };
}

/** Returns the variables that Yarn sets for its own scripts, so that the tool can detect the version of Yarn. */
function environment(cwd, version) {
  return {
    INIT_CWD: cwd,
    npm_execpath: process.argv[1],
    npm_config_user_agent: `yarn/${version} npm/? node/${process.version} ${process.platform} ${process.arch}`,
  };
}

/** Runs programs of tools. */
function openRunner(require) {
  const { spawn } = require("child_process");
  const { existsSync, readFileSync } = require("fs");
  const { createRequire } = require("module");
  const { constants } = require("os");
  const { dirname, join } = require("path");
  const { pathToFileURL } = require("url");

  /**
   * Runs the tool in this process, which saves a start of Node. A tool sets the exit code before its import resolves,
   * or before the promise that its bin exports does.
   */
  async function runHere(bin, args, env, cwd) {
    // Yarn's signal handlers end the process at once, but the tool must end its children first.
    for (const signal of ["SIGINT", "SIGTERM"])
      process.removeAllListeners(signal);
    Object.assign(process.env, env);
    process.chdir(cwd);
    process.argv = [process.argv[0], bin, ...args];
    process.exitCode = 0;
    await load(bin);
    return process.exitCode;
  }

  /**
   * Loads the bin. CommonJS doesn't need Node's loader for ES modules, which takes as long to start as
   * `affected list` does.
   */
  async function load(bin) {
    const scope = join(dirname(bin), "package.json");
    const isCommonJs =
      existsSync(scope) &&
      JSON.parse(readFileSync(scope, "utf8")).type === "commonjs";
    if (isCommonJs) return createRequire(bin)(bin);
    const { default: finished } = await import(pathToFileURL(bin).href);
    return finished;
  }

  /**
   * Runs the tool in another Node process, with PnP's loaders. It returns the tool's exit code, also after a signal.
   */
  function runWithPnp(root, bin, args, env, cwd) {
    const quote = (path) => (/\s/.test(path) ? JSON.stringify(path) : path);
    const loader = join(root, ".pnp.loader.mjs");
    const options = [
      `--require ${quote(join(root, ".pnp.cjs"))}`,
      existsSync(loader) &&
        `--experimental-loader ${pathToFileURL(loader).href}`,
      process.env.NODE_OPTIONS,
    ];
    const child = spawn(process.execPath, [bin, ...args], {
      cwd,
      env: {
        ...process.env,
        ...env,
        NODE_OPTIONS: options.filter(Boolean).join(" "),
      },
      stdio: "inherit",
    });
    // A terminal sends Ctrl-C to both processes. The tool decides how to handle it.
    const stay = () => undefined;
    const pass = (signal) => child.kill(signal);
    process.removeAllListeners("SIGINT").on("SIGINT", stay);
    process.removeAllListeners("SIGTERM").on("SIGTERM", pass);
    return new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code, signal) =>
        resolve(code ?? 128 + constants.signals[signal]),
      );
    });
  }

  return { runHere, runWithPnp };
}

module.exports = {
  name: "@skein/yarn-plugin",
  factory: (require) => {
    const { existsSync } = require("fs");
    const { dirname, join } = require("path");
    const { Command, Option } = require("clipanion");
    const { YarnVersion } = require("@yarnpkg/core");
    const { findBin, findPnpBin } = openFinder(require);
    const { runHere, runWithPnp } = openRunner(require);

    /**
     * Runs a tool.
     * @returns the exit code
     */
    async function start(tool, args, cwd) {
      const env = environment(cwd, YarnVersion);
      const pnp = findPnpBin(tool, cwd);
      const bin = pnp ? pnp.bin : findBin(tool, cwd);
      if (bin === undefined) {
        process.stderr.write(
          `@skein/${tool} is not installed here; run: yarn add --dev @skein/${tool}\n`,
        );
        return 3;
      }
      if (pnp) return runWithPnp(pnp.root, bin, args, env, cwd);
      const built = ["../dist/main.js", "../bundle/main.cjs"];
      if (!built.some((file) => existsSync(join(dirname(bin), file)))) {
        process.stderr.write(
          `${tool} is not built yet; run: yarn install && yarn build\n`,
        );
        return 3;
      }
      return runHere(bin, args, env, cwd);
    }

    const commands = TOOLS.map((tool) => {
      return class extends Command {
        static paths = [[tool]];
        args = Option.Proxy();

        execute() {
          return start(tool, this.args, this.context.cwd);
        }
      };
    });

    // Yarn loads plugins before it creates its own command line, and waits for them. Creating it takes a quarter of
    // Yarn's start. If the first word is one of our tools, that isn't needed: the tool runs now, and Yarn waits until
    // the process has ended. Yarn sets this exit code before it runs a command line. Without it (in Yarn before 4, or
    // in a program that only reads Yarn's settings) Yarn calls the command above later.
    const [tool, ...args] = process.argv.slice(2);
    if (!TOOLS.includes(tool) || process.exitCode !== ABOUT_TO_RUN)
      return { commands };
    delete process.env.YARN_IGNORE_PATH; // Yarn also does this before it runs a command, because the variable is meant only for this Yarn.
    return start(tool, args, process.cwd()).then((exitCode) => {
      process.exitCode = exitCode;
      // Yarn's own clean-up takes a tenth of its time.
      if (process.stdout.writableLength + process.stderr.writableLength === 0)
        process.exit();
      process.removeAllListeners("beforeExit"); // Yarn's handler would report that Yarn ended early.
      return new Promise(() => undefined);
    });
  },
};
