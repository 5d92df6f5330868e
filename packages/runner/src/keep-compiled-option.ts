import { fileURLToPath } from "node:url";

/**
 * Returns NODE_OPTIONS for a Yarn that is started many times. Its compiled code is cached between starts. Processes
 * that such a Yarn starts inherit the option, but it has no effect on programs of less than half a megabyte.
 */
export function keepCompiledOption(): string {
  const main = fileURLToPath(
    new URL("./keep-compiled/main.cjs", import.meta.url),
  );
  // Node supports quotes here, and backslashes inside them.
  return `--require "${main.replace(/["\\]/g, "\\$&")}"`;
}
