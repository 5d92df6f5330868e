import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Returns the text of one file of a package on npm, without unpacking the rest. @param file below `package/` */
export function fetchNpmFile(name, file) {
  const dir = mkdtempSync(join(tmpdir(), "npm-file-"));
  try {
    const options = { cwd: dir, encoding: "utf8", maxBuffer: 2 ** 28 };
    const tarball = execFileSync("npm", ["pack", name], options).trim();
    return execFileSync("tar", ["-xzOf", tarball, `package/${file}`], options);
  } finally {
    rmSync(dir, { recursive: true });
  }
}
