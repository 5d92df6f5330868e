declare module "npm-packlist" {
  /** The parts of an Arborist node that the library reads if nothing is bundled. */
  export interface PackTree {
    readonly path: string;
    readonly package: Readonly<Record<string, unknown>>;
    readonly isProjectRoot: true;
    readonly edgesOut: ReadonlyMap<string, unknown>;
  }
  export default function packlist(
    tree: PackTree,
    options?: {
      /** The workspace's root, and the packages for which ignore files in parent folders count. */
      readonly prefix: string;
      readonly workspaces: readonly string[];
    },
  ): Promise<string[]>;
}
