import { fileURLToPath } from "node:url";

/**
 * NODE_OPTIONS for a Yarn that is started many times: its compiled code is kept between starts. What such a Yarn starts
 * has it too; it does nothing to programs of less than half a megabyte.
 */
export function keepCompiledOption(): string {
  const main = fileURLToPath(
    new URL("./keep-compiled/main.cjs", import.meta.url),
  );
  // Node reads quotes here, and a backslash inside them.
  return `--require "${main.replace(/["\\]/g, "\\$&")}"`;
}
