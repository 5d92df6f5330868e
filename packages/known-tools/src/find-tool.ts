import { settingsOf, type SettingsName, type Tool } from "./tool.js";
import { TOOLS } from "./tools.js";

const BY_PROGRAM: ReadonlyMap<string, Tool> = new Map(
  TOOLS.flatMap((tool) =>
    tool.programs.map((program) => [program, tool] as const),
  ),
);

/** Returns the packages that contain a program or load its settings. */
export function packagesOf({
  programs,
  packages = [],
}: Tool): readonly string[] {
  return [...programs, ...packages];
}

/** Returns the entry of a program by its name in a script; undefined if the table doesn't contain it. */
export function toolCalled(program: string): Tool | undefined {
  return BY_PROGRAM.get(program);
}

/** Returns the tool that a package contains; undefined for a package that isn't in the table. */
export function toolIn(external: string): Tool | undefined {
  return TOOLS.find((tool) => packagesOf(tool).includes(external));
}

/** Returns the programs that load an installed package although no file names it: plug-ins. */
export function programsLoading(external: string): ReadonlySet<string> {
  return new Set(
    programsWhere(
      ({ loads }) =>
        loads?.some((start) => external.startsWith(start)) === true,
    ),
  );
}

/** Returns the programs for whose entries a condition holds, in the table's order. */
export function programsWhere(
  isMeant: (tool: Tool) => boolean,
): readonly string[] {
  return TOOLS.flatMap((tool) => (isMeant(tool) ? tool.programs : []));
}

/** Returns the programs that look up a group of settings. */
export function programsOf(settings: SettingsName): ReadonlySet<string> {
  return new Set(programsWhere(({ looksUp }) => looksUp.includes(settings)));
}

/** The programs that look up settings of another language. */
export const FOREIGN_PROGRAMS: readonly string[] = programsWhere(
  ({ looksUp }) =>
    looksUp.some((name) => settingsOf(name).foreignEndings !== undefined),
);
