// The rules for dependencies between packages: `yarn constraints` checks them, `yarn constraints --fix` fixes what it can.
const { defineConfig } = require("@yarnpkg/types");

const isTool = (workspace) => workspace.cwd.startsWith("tools/");
/** Tests run the tools' published bins from outside, so they may depend on everything. */
const isTestSuite = (workspace) =>
  ["packages/application", "packages/testing"].includes(workspace.cwd);

/** The tools that run another tool as a program. It is installed with them, and never imported. */
const RUNS = { "@skein/ci-dispatch": "@skein/affected" };

module.exports = defineConfig({
  async constraints({ Yarn }) {
    const tools = Yarn.workspaces().filter(isTool);
    for (const workspace of Yarn.workspaces()) {
      for (const tool of tools) {
        for (const dependency of Yarn.dependencies({
          workspace,
          ident: tool.ident,
        })) {
          if (workspace.cwd === "." || isTestSuite(workspace)) continue;
          if (RUNS[workspace.ident] === tool.ident) continue;
          dependency.error(
            "Packages must not import a tool: tools compose through versioned JSON, and shared code is in packages/.",
          );
        }
      }
      for (const dependency of Yarn.dependencies({
        workspace,
        ident: "@skein/testing",
      })) {
        if (dependency.type === "devDependencies") continue;
        dependency.error(
          "@skein/testing is a devDependency only: a published package must not ship test code.",
        );
      }
      if (workspace.cwd === ".") continue;
      workspace.set("type", "module");
      workspace.set("license", "MIT");
      workspace.set("engines.node", ">=20.19");
      // All packages have the version of the release: the workflows name it, and a tool may rely on the others.
      workspace.set("version", Yarn.workspace({ cwd: "." }).manifest.version);
      if (workspace.manifest.private) continue;
      const home = "https://github.com/skein-tools/skein";
      workspace.set("author", "The Skein contributors");
      workspace.set("homepage", `${home}#readme`);
      workspace.set("bugs", `${home}/issues`);
      workspace.set("repository", {
        type: "git",
        url: `git+${home}.git`,
        directory: workspace.cwd,
      });
      // Without it, npm refuses the first release of a scoped package.
      workspace.set("publishConfig", { access: "public" });
      if (!workspace.manifest.keywords)
        workspace.error(
          "A published package needs keywords: npm's search uses them.",
        );
      for (const dependency of Yarn.dependencies({ workspace })) {
        if (dependency.type === "devDependencies") continue;
        if (!Yarn.workspace({ ident: dependency.ident })?.manifest.private)
          continue;
        dependency.error(
          "A published package cannot depend on a private one. The tools bundle what they use of packages/, so it is a devDependency.",
        );
      }
    }
    // All packages use the same version of an external dependency.
    for (const dependency of Yarn.dependencies()) {
      if (
        dependency.type === "peerDependencies" ||
        dependency.range.startsWith("workspace:")
      )
        continue;
      for (const other of Yarn.dependencies({ ident: dependency.ident })) {
        if (other.type !== "peerDependencies") dependency.update(other.range);
      }
    }
  },
});
