import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { openYarnProject } from "@skein/runner/yarn-project";
import type { AffectedWorld } from "../world.js";

/** Returns the environment of scripts: Node, Yarn, the platform, the architecture, the C library. */
export async function readRuntime(
  { env, node }: Pick<AffectedWorld, "env" | "node">,
  root: string,
): Promise<Readonly<Record<string, string>>> {
  // If nothing is checked out, the commit's files determine both, and they already count as files.
  const { yarn, linker } = existsSync(join(root, "package.json"))
    ? await openYarnProject({ root, env, node })
    : { yarn: undefined, linker: "" };
  return {
    node: node.version,
    yarn: yarn?.version ?? "",
    linker,
    platform: node.platform,
    arch: node.arch,
    libc: node.platform === "linux" ? libcOf(node.execPath) : "",
  };
}

/**
 * Returns the C library of a program on Linux, with its version. The program's first bytes name its interpreter (elf(5),
 * PT_INTERP), and the script `ldd` contains the version of glibc. Node's own report has both, but takes 50 ms.
 */
function libcOf(program: string): string {
  const interpreter = /ld-(musl|linux)[\w.-]*\.so\.\d+/.exec(head(program));
  const version = /\b(?:GLIBC|GNU libc)[^)]*\)\s+([\d.]+)/.exec(
    head("/usr/bin/ldd"),
  );
  return [interpreter?.[0] ?? "", version?.[1] ?? ""].join(" ").trim();
}

function head(file: string): string {
  const bytes = Buffer.alloc(8192);
  let open: number | undefined;
  try {
    open = openSync(file, "r");
    return bytes.toString("latin1", 0, readSync(open, bytes));
  } catch {
    return "";
  } finally {
    if (open !== undefined) closeSync(open);
  }
}
