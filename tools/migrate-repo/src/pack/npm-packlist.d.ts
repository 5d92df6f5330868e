declare module "npm-packlist" {
  /** As much of an Arborist node as it reads where nothing is bundled. */
  export interface PackTree {
    readonly path: string;
    readonly package: Readonly<Record<string, unknown>>;
    readonly isProjectRoot: true;
    readonly edgesOut: ReadonlyMap<string, unknown>;
  }
  export default function packlist(
    tree: PackTree,
    options?: {
      /** The workspace's root, and the packages whose ignore files above them count. */
      readonly prefix: string;
      readonly workspaces: readonly string[];
    },
  ): Promise<string[]>;
}
