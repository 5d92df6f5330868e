import { execFileSync } from "node:child_process";
import { arch, availableParallelism, cpus, loadavg, platform } from "node:os";
import type { Machine } from "./report/report.js";

/** Reads the machine's properties for a report, and its current load. */
export function readMachine(): Machine {
  const [load = 0] = loadavg();
  return {
    cores: availableParallelism(),
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    platform: `${platform()} ${arch()}`,
    node: process.versions.node,
    git: execFileSync("git", ["--version"], { encoding: "utf8" })
      .trim()
      .replace("git version ", ""),
    load: [load, load],
    date: new Date().toISOString().slice(0, 16).replace("T", " "),
  };
}
