import { followUp } from "../step.js";
import { fieldsAmong, removalStep } from "./removal.js";

const FILES =
  /^(?:\.releaserc(?:\..+)?|release\.config\.[cm]?[jt]s|lerna\.json|\.release-it(?:\..+)?|\.versionrc(?:\..+)?|\.release-please-manifest\.json|release-please-config\.json|\.autorc|\.np-config\.(?:json|[cm]?js)|nx\.json|turbo\.json)$/;

const FIELDS = [
  "release",
  "release-it",
  "standard-version",
  "np",
  "auto",
  "semantic-release",
];

/**
 * Removes release tools of a single package. They read tags and commits of the whole repository, so here they would
 * release on anybody's commit.
 */
export const releaseTools = removalStep({
  id: "release-tools",
  why: "they release a whole repository: here, they would count all commits and tags as this package's",
  files: ({ inside }) => FILES.test(inside),
  fields: (manifest) => fieldsAmong(FIELDS, manifest),
  report: (files, fields) => [
    ...files.map(({ path }) =>
      followUp(
        `${path} was removed: release the package the way the workspace does.`,
      ),
    ),
    ...fields.map(({ path, value }) =>
      followUp(
        `${path.join(".")} in package.json was ${JSON.stringify(value)}: release the package as the workspace does.`,
      ),
    ),
  ],
});
