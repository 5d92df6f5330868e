// A plugin of Yarn for this repository only: what `yarn pack` writes into a published package.json. Scripts and
// devDependencies are useless to someone who installs the package, and the devDependencies name private packages, in a
// scope where someone else could publish them.
module.exports = {
  name: "skein-publish",
  factory: () => ({
    hooks: {
      beforeWorkspacePacking(_workspace, manifest) {
        delete manifest.devDependencies;
        delete manifest.scripts;
      },
    },
  }),
};
