// Who may depend on whom, as code: `yarn constraints` checks it, `yarn constraints --fix` mends what it can.
const { defineConfig } = require("@yarnpkg/types");

const isTool = (workspace) => workspace.cwd.startsWith("tools/");
/** Tests drive the tools' published bins from outside; they may see everything. */
const isTestSuite = (workspace) =>
  ["packages/application", "packages/testing"].includes(workspace.cwd);

/** Who runs which tool as a program; it is installed along, and never imported. */
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
            "Nothing imports a tool: tools compose through versioned JSON; shared code lives in packages/.",
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
      // One release, one version: the workflows name it, and a tool may rely on the others.
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
      // npm refuses the first release of a scoped package without it.
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
          "A published package cannot be installed with a private one: what is in packages/ is joined into the tools, so it is a devDependency.",
        );
      }
    }
    // One version of each external dependency in the whole workspace.
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
