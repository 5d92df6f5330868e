import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { buildHistory, gitTestEnv, json } from "@skein/testing";

/** How a command ended. */
export interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

const bin = fileURLToPath(new URL("../bin/ci-dispatch.js", import.meta.url));

/** Runs the shipped program in a folder, to its end. */
export function dispatchIn(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(
      bin,
      [...args],
      { cwd, env: { ...gitTestEnv, ...env }, maxBuffer: 2 ** 28 },
      (error, stdout, stderr) =>
        resolve({
          exitCode: error === null ? 0 : Number(error.code ?? -1),
          stdout,
          stderr,
        }),
    );
  });
}

export interface PackageSpec {
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** A workspace with two commits: all packages, and a change of some. */
export function buildWorkspace(
  dir: string,
  packages: Readonly<Record<string, PackageSpec>>,
  {
    changed = Object.keys(packages),
    files = {},
    settings = {},
    root = {},
  }: {
    readonly changed?: readonly string[];
    readonly files?: Readonly<Record<string, string>>;
    readonly settings?: unknown;
    readonly root?: Readonly<Record<string, unknown>>;
  } = {},
): void {
  const names = Object.keys(packages).sort();
  const lock = ["root", ...names].map((name) => {
    const at = name === "root" ? "." : `packages/${name}`;
    const asked = Object.entries(packages[name]?.dependencies ?? {});
    const dependencies = asked.map(([to, range]) => `    ${to}: "${range}"\n`);
    const descriptors = [
      `${name}@workspace:${at}`,
      ...(name === "root" ? [] : [`${name}@workspace:*`]),
    ].join(", ");
    return `"${descriptors}":\n  version: 0.0.0-use.local\n  resolution: "${name}@workspace:${at}"\n${asked.length > 0 ? `  dependencies:\n${dependencies.join("")}` : ""}  languageName: unknown\n  linkType: soft\n`;
  });
  buildHistory(dir, [
    {
      files: {
        "package.json": json({
          name: "root",
          private: true,
          workspaces: ["packages/*"],
          ...root,
        }),
        ".gitignore": "node_modules\n",
        "yarn.lock": `__metadata:\n  version: 8\n\n${lock.join("\n")}`,
        "skein.json": json(settings),
        ...Object.fromEntries(
          names.flatMap((name) => [
            [
              `packages/${name}/package.json`,
              json({ name, ...packages[name] }),
            ],
            [`packages/${name}/index.js`, "1\n"],
          ]),
        ),
        ...files,
      },
    },
    {
      branch: "change",
      from: "main",
      files: Object.fromEntries(
        changed.map((name) => [`packages/${name}/index.js`, "2\n"]),
      ),
    },
  ]);
}
