import { parseCli } from "./cli.js";
import type { Command } from "./command.js";
import type { DispatchWorld } from "./world.js";

/** The tool: parses, and hands over to one command. @returns the exit code */
export async function dispatch(world: DispatchWorld): Promise<number> {
  const command = parseCli(world);
  if (typeof command === "number") return command;
  try {
    return await perform(world, command);
  } catch (error) {
    // Only here, since `metrics` needs none of the workspace, which is long to load.
    const { speaking } = await import("@skein/workspaces");
    return speaking(() => {
      throw error;
    });
  }
}

// Each command is loaded when it is asked for.
async function perform(
  world: DispatchWorld,
  command: Command,
): Promise<number> {
  switch (command.kind) {
    case "plan":
      return (await import("./commands/plan.js")).plan(world, command);
    case "exec":
      return (await import("./commands/exec.js")).exec(world, command);
    case "verdict":
      return (await import("./commands/verdict.js")).verdict(world, command);
    case "retry":
      return (await import("./commands/retry.js")).retry(world, command);
    case "publish":
      return (await import("./commands/publish.js")).publish(world, command);
    case "launch":
      return (await import("./commands/launch.js")).launch(world, command);
    case "run":
      return (await import("./commands/run.js")).run(world, command);
    case "metrics":
      return (await import("./commands/metrics.js")).metrics(world, command);
    case "history":
      return (await import("./commands/history.js")).history(world, command);
  }
}
