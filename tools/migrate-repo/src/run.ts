import { parseCli } from "./cli.js";
import { ExitCode } from "@skein/reporting";
import type { Command } from "./command.js";
import { failedEvent, jsonProgress } from "./words/events.js";
import { printEvents, printWords } from "./words/print.js";
import { explainFailure } from "./words/world-failure.js";
import type { MigrateWorld, SilentWorld } from "./world.js";

/**
 * Runs a command. With `--json`, it also reports the end on standard output.
 * @returns the exit code
 */
export async function run(
  world: SilentWorld,
  command: Command,
): Promise<number> {
  const { stdout, now, signal } = world;
  if (!command.json)
    return runKind({ ...world, print: printWords(stdout) }, command);
  const { print, end } = printEvents(stdout);
  // `versions` prints one object, and no event after it.
  const isEvents = command.kind !== "versions";
  const progress = isEvents ? jsonProgress(stdout, now) : world.progress;
  try {
    const code = await runKind({ ...world, progress, print }, command);
    if (isEvents) end(code);
    return code;
  } catch (thrown) {
    const error = await explainFailure(thrown, signal.aborted);
    print("", failedEvent(error));
    throw error;
  }
}

/** Runs one kind of command. Each kind has a file, which is loaded on demand. */
async function runKind(world: MigrateWorld, command: Command): Promise<number> {
  switch (command.kind) {
    case "add": {
      const { runAdd } = await import("./add/run-add.js");
      return runAdd(world, command.request, command);
    }
    case "manifest": {
      const { runManifest } = await import("./manifest/run-manifest.js");
      const { recoverIfNeeded } = await import("./work/run-recover.js");
      return runManifest(world, {
        ...command,
        recover: () => recoverIfNeeded(world),
      });
    }
    case "sync": {
      const { runSync } = await import("./sync/run-sync.js");
      const code = await runSync(world, command.name, command);
      if (code !== ExitCode.Ok || !(command.prs || command.transplant))
        return code;
      const { runPulls } = await import("./pulls/run-pulls.js");
      return runPulls(world, command.name, command);
    }
    case "verify": {
      const { runVerify } = await import("./verify/run-verify.js");
      return runVerify(world, command.name);
    }
    case "finish": {
      const { runFinish } = await import("./finish/run-finish.js");
      return runFinish(world, command.name);
    }
    case "undo": {
      const { runUndo } = await import("./undo/run-undo.js");
      return runUndo(world, command.name);
    }
    case "versions": {
      const { versions } = await import("./cli/run-versions.js");
      return versions(world, command);
    }
    case "continue": {
      const { runContinue } = await import("./work/run-recover.js");
      return runContinue(world, async (argv) => {
        const again = parseCli({ ...world, argv });
        return typeof again === "number"
          ? again
          : runKind({ ...world, argv }, again);
      });
    }
    case "abort": {
      const { runAbort } = await import("./work/run-recover.js");
      return runAbort(world);
    }
  }
}
