/** Settings of tools and of packages by their names: tools look them up, or build files name them. */
const SETTINGS =
  /^\.|^[^.]*file$|^(?:build|workspace|module)$|(?:^|[.-])(?:config|conf|setup|settings|preset)s?\.|rc\.|file\.|^(?:package|[tj]sconfig|project|lerna|nx|turbo|babel)\b.*\.json[5c]?$|^cmakelists\.txt$/;
/** Declarations that compilers load on their own, and files of builds. */
const OF_BUILDS =
  /\.(?:d\.[cm]?ts|d\.\w+\.ts|props|targets|[a-z]+proj|sln|gradle|kts|toml|lock|mod|sum|cmake|mk|gemspec|podspec|gyp|gypi|bzl|bazel|nix|wasm|node)$/;

/** Stands for all external packages among the files that a package reads of another one. */
export const EXTERNALS = "yarn.lock";

/**
 * Returns whether a file of a package may take effect although nothing reads it by a known path: settings that tools look up,
 * manifests, mocks, declarations of global types, files of builds.
 * @param path of the file, with `/`
 */
export function takesEffectUnread(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return (
    SETTINGS.test(name) || OF_BUILDS.test(name) || path.includes("__mocks__/")
  );
}
