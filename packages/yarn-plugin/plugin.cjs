// Yarn's `affected`, `migrate-repo` and `ci-dispatch`: hand over to the tools' bins without loading the project, which
// `yarn run` does first (2.4 s in a workspace of 5,000 packages). Plain CommonJS without a build: Yarn loads it before
// anything is installed or built.
const TOOLS = ["affected", "migrate-repo", "ci-dispatch"];
/** Yarn's exit code until it has one. */
const ABOUT_TO_RUN = 42;

module.exports = {
  name: "@skein/yarn-plugin",
  // Everything is inside: `yarn plugin import` reads the file where only this function's `require` exists.
  factory: (require) => {
    // Without `node:`, which Yarn 2 and 3 do not know in plugins.
    const { spawn } = require("child_process");
    const { existsSync, readFileSync } = require("fs");
    const { createRequire } = require("module");
    const { constants } = require("os");
    const { dirname, join } = require("path");
    const { pathToFileURL } = require("url");
    const { Command, Option } = require("clipanion");
    const { YarnVersion } = require("@yarnpkg/core");

    /** The folder and all above it. */
    function* upward(dir) {
      for (
        let here = dir, last;
        here !== last;
        last = here, here = dirname(here)
      )
        yield here;
    }

    /** The tool's program: as Node finds packages, or in a checkout of Skein itself. Undefined where it is not installed. */
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

    /** With PnP the package may lie in an archive, so only Node with PnP's loader can read it. Undefined without PnP. */
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
          continue; // Not declared by this package: the root's own dependencies come next.
        }
      }
      return { root, bin: undefined };
    }

    /** As Yarn's own scripts see it, so that the tool knows which Yarn it runs under. */
    function environment(cwd, version) {
      return {
        INIT_CWD: cwd,
        npm_execpath: process.argv[1],
        npm_config_user_agent: `yarn/${version} npm/? node/${process.version} ${process.platform} ${process.arch}`,
      };
    }

    /**
     * In this very process: it saves a start of Node. A tool sets the exit code before its import resolves, or before
     * what its bin exports does.
     */
    async function runHere(bin, args, env, cwd) {
      // Yarn's clean-up on a signal ends the process at once; the tool ends its children first.
      for (const signal of ["SIGINT", "SIGTERM"])
        process.removeAllListeners(signal);
      Object.assign(process.env, env);
      process.chdir(cwd);
      process.argv = [process.argv[0], bin, ...args];
      process.exitCode = 0;
      await load(bin);
      return process.exitCode;
    }

    /** CommonJS does without Node's loader of modules, which takes as long to start as `affected list` does. */
    async function load(bin) {
      const scope = join(dirname(bin), "package.json");
      const isCommonJs =
        existsSync(scope) &&
        JSON.parse(readFileSync(scope, "utf8")).type === "commonjs";
      if (isCommonJs) return createRequire(bin)(bin);
      const { default: finished } = await import(pathToFileURL(bin).href);
      return finished;
    }

    /** In a Node of its own, with PnP's loaders. Ends as the tool does, also by a signal. */
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
      // A terminal sends Ctrl-C to both; the tool decides what it means.
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

    /** @returns the exit code */
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

    // Yarn loads plugins before it makes its own command line, which takes a quarter of its start, and waits for them. Where
    // the first word is ours, nothing of that is wanted: the tool runs now, and Yarn waits until the process has ended. Yarn
    // marks by this exit code that it is about to run a command line; without it (Yarn before 4, or a program that merely
    // reads Yarn's settings) the command above is called in its turn.
    const [tool, ...args] = process.argv.slice(2);
    if (!TOOLS.includes(tool) || process.exitCode !== ABOUT_TO_RUN)
      return { commands };
    delete process.env.YARN_IGNORE_PATH; // As Yarn does before it runs a command: it is meant for this Yarn alone.
    return start(tool, args, process.cwd()).then((exitCode) => {
      process.exitCode = exitCode;
      // Taking Yarn down piece by piece takes a tenth of its time.
      if (process.stdout.writableLength + process.stderr.writableLength === 0)
        process.exit();
      process.removeAllListeners("beforeExit"); // Where Yarn would say that it did not come to its own end.
      return new Promise(() => undefined);
    });
  },
};
