import { takesEffectUnread } from "@skein/known-tools";
import { remember } from "@skein/reporting/group-by";
import { fileKind } from "../../scan/file-kinds.js";
import { BESIDE } from "../../reference.js";
import { below, dirOf } from "../../resolve.js";
import type { Layer } from "../layer.js";
import type { RowWithPath } from "../targets/match.js";
import { DATA, type LoadedModules } from "./loaded-modules.js";
import type { ModuleReachWorld } from "./module-reach.js";
import { OUTPUTS, type PackageFiles } from "./package-files.js";
import { joinReaches, type Reach } from "./reach.js";

/** Pages that load nothing, and from which no program finds its way to other files: `README.md`, `LICENSE`. */
export const TEXT =
  /(?:\.(?:md|markdown|rst|adoc|txt)|(?:^|\/)[A-Z][A-Z_-]*(?:\.[A-Z]\w*)?)$/;

/** Returns the reach of a text, of which a program uses nothing else than its content. */
export function ofText(file: string): Reach {
  return { used: new Set(), files: new Set([file]), isText: true };
}

/**
 * Opens the search for what a row leads to in a package, by its number, if only some files can be meant:
 *
 * - A program only opens the files, and it is known how their paths end: `readFileSync(join(root, name, "x.json"))`.
 * - A pattern ends with the name of settings, and the package has none of that name.
 *
 * @returns a function whose answer is undefined if the row may lead to other files, too: to those that a module loads, or to
 *   files that a build makes, since git has none
 */
export function openKnownFiles(
  { layers, layout }: Pick<ModuleReachWorld, "layers" | "layout">,
  modules: LoadedModules,
  packageFiles: PackageFiles,
): (use: RowWithPath, to: number) => Reach {
  const isEnding = remember((end: string) =>
    layers.some((layer) =>
      Array.from(layer.files()).some((file) => file.endsWith(end)),
    ),
  );
  const filesEnding = (end: string, owner: number) =>
    packageFiles.of(owner).filter((file) => file.endsWith(end));
  const ofFile = (to: number, file: string): Reach => {
    if (file === below(layout.dirOf(to), "package.json") || TEXT.test(file))
      return ofText(file);
    return fileKind(file, "100644") === "tsconfig"
      ? modules.ofTsconfig(to, file, true)
      : modules.of(to, [file]);
  };
  const ofOpened = remember((end: string) =>
    remember((to: number): Reach => {
      const files = filesEnding(end, to);
      if (files.length === 0 && !isEnding(end)) return undefined;
      const read = joinReaches([
        ofText(`*${end}`),
        ...files.map((file) => ofFile(to, file)),
      ]);
      return read?.files && read;
    }),
  );
  const ofSettings = remember((end: string) =>
    remember((to: number): Reach =>
      filesEnding(end, to).length === 0 ? ofText(`*${end}`) : undefined,
    ),
  );
  return ({ layer, row, path }, to) => {
    const isOpened = layer.isOpened(row);
    if (!layer.isPartial(row)) {
      const meant = path ?? pathOf(layer, row);
      const files =
        isOpened && meant !== undefined
          ? packageFiles.at(meant, to, layer.kind(row))
          : [];
      return files.length > 0
        ? joinReaches(files.map((file) => ofFile(to, file)))
        : undefined;
    }
    const end = layer.table.suffixOf(row);
    const isFile = end.startsWith("/") && end !== BESIDE;
    if (path !== undefined || !isFile || OUTPUTS.test(dirOf(end)))
      return undefined;
    const opened =
      isOpened && (DATA.test(end) || TEXT.test(end))
        ? ofOpened(end)(to)
        : undefined;
    return opened ?? (takesEffectUnread(end) ? ofSettings(end)(to) : undefined);
  };
}

/** Returns the path that a row names; undefined if it names a package. */
export function pathOf(layer: Layer, row: number): string | undefined {
  const target = layer.target(row);
  return target.kind === "path" ? target.path : undefined;
}
