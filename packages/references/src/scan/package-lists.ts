import { withSuffix, type FileFacts, type Reference } from "../reference.js";

/** Libraries that list the packages of a workspace. */
const LIBRARIES =
  /^(?:@manypkg\/get-packages|@npmcli\/map-workspaces|@pnpm\/(?:workspace\.)?find-(?:workspace-)?packages|workspace-tools|@lerna\/project|get-monorepo-packages|find-workspaces|pkg-workspaces)$/;
/**
 * A call of one of their functions for the workspace of the file. If the folder is a parameter, it is usually that of another
 * workspace.
 */
const LISTS =
  /(?:\b(?:getPackage(?:s|Infos)|getWorkspace(?:s|Packages|Infos)|mapWorkspaces|find(?:Workspaces|WorkspacePackages)(?:NoCheck)?|getMonorepoPackages)(?:Async|Sync)?|["'][\w./@-]+["']\))\(\s*(?:\)|process\.cwd\(|__dirname|import\.meta\.|["'`]\.|(?:path\.)?(?:join|resolve)\(|\{[^]{0,200}?\bcwd:\s*(?:process\.cwd\(|__dirname|import\.meta\.|["'`]\.))/;
/** The manifest of a folder above the package, and the field of it that lists packages. */
const MANIFEST_ABOVE = /(?:\.\.\/){2,}package\.json$/;
const FIELD = /\bworkspaces\b/;
/** Constraints of Yarn, and functions with which they read files of the workspaces besides the manifests. */
const CONSTRAINTS = /\bYarn\.workspaces?\(/;
const READS = /\b(?:read|exists|access|l?stat\b|open|glob)/i;

/** Returns a reference to all packages if a source lists the packages of the workspace. */
export function scanPackageLists(
  text: string,
  { references }: FileFacts,
): readonly Reference[] {
  const lists =
    (CONSTRAINTS.test(text) && READS.test(text)) ||
    references.some(
      ({ specifier }) =>
        (LIBRARIES.test(specifier) && LISTS.test(text)) ||
        (MANIFEST_ABOVE.test(specifier) && FIELD.test(text)),
    );
  return lists
    ? [
        {
          specifier: withSuffix("./", "/package.json"),
          kind: "root-path",
          line: 1,
          column: 1,
          partial: true,
        },
      ]
    : [];
}
