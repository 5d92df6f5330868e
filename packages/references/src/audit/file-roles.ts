import { TOOLS } from "@skein/known-tools";
import { recordOf } from "@skein/reporting/json-fields";

/** Files that prepare test runners, by their usual names. */
const PREPARES_TESTS =
  /(^|\/)(?:setup[-_.]?(?:jest|vitest|tests?)|(?:jest|vitest|tests?)[-_.]?(?:setup|env|environment))\.[^/]+$/i;

/** Returns whether dependents don't use a file, by its name: tests, fixtures, stories, benchmarks and settings of tools. */
export function isDevelopmentFile(file: string): boolean {
  return (
    PREPARES_TESTS.test(file) ||
    /(^|\/)(__tests__|__mocks__|__fixtures__|fixtures|tests?|e2e|stories|benchmarks?)\/|\.(test|spec|stories|story|bench)\.[^/]+$|(^|\/)[^/]*\.(config|setup)\.[^/]+$|(^|\/)\.[^/]*rc(\.[^/]+)?$|(^|\/)[^/]*tsconfig[^/]*\.json$/.test(
      file,
    )
  );
}

/**
 * Returns whether a file is data: the package reads, compares or copies its code, but doesn't run it. Such files are test data,
 * and templates of new projects.
 * @param path from the package's folder
 */
export function isData(path: string): boolean {
  return /^templates?\/|(^|\/)(?:fixtures?|__fixtures__|__testfixtures__|__snapshots__|testdata|test-data)\//.test(
    path,
  );
}

/** Folders of a package, by their usual names, that contain scripts for its authors. */
const AUTHORS =
  /^(?:scripts?|examples?|docs?|bench|demos?|website|playground|tools)\//;
/** A program in the package's folder itself, without its ending. */
const BESIDE_MANIFEST = /^[\w-]+(?=\.[cm]?js$)/;

/** The fields of a manifest that list what is published, loaded or run at installation. */
const PUBLISHED = ["files", "bin", "main", "module", "exports", "types"];
const AT_INSTALL = ["preinstall", "install", "postinstall"];

/**
 * Returns whether a file is for the package's authors only: it is in a folder of scripts, examples or the like, or beside a
 * manifest that lists what it publishes, and the manifest neither publishes it nor runs it at installation.
 * @param path from the package's folder
 */
export function isForAuthors(
  path: string,
  manifest: Readonly<Record<string, unknown>>,
): boolean {
  const { files } = manifest;
  const publishesSome =
    Array.isArray(files) &&
    !files.some(
      (file) => typeof file === "string" && /^(?:\.\/)?\*/.test(file),
    );
  const name =
    AUTHORS.exec(path)?.[0].slice(0, -1) ??
    (publishesSome ? BESIDE_MANIFEST.exec(path)?.[0] : undefined);
  if (name === undefined) return false;
  const scripts = recordOf(manifest["scripts"]);
  const words = JSON.stringify([
    ...PUBLISHED.map((field) => manifest[field]),
    ...AT_INSTALL.map((name) => scripts[name]),
  ]).split(/[^\w-]+/);
  return !words.includes(name);
}

/** Programs that bundle what a package imports into the files that it publishes. */
const BUNDLERS = new RegExp(
  String.raw`(?:^|[\s/&|;'"])(?:[\w-]*bundle[\w-]*|${TOOLS.flatMap(({ programs, bundles }) => (bundles === undefined ? [] : programs.map((program) => (bundles === true ? program : `${program} ${bundles}`)))).join("|")})(?=$|[\s&|;'":-])`,
);

/** The name of a bundle: `dist/bundle.js`, `dist/x.min.js`. */
const BUNDLE = /(?:bundle|\.min)\.[cm]?js$/;

/**
 * Returns whether a package bundles what it imports, as far as its manifest shows: one of its scripts runs a bundler, its entry
 * point is called like a bundle, or all code that it publishes is single files.
 */
export function looksBundled(
  manifest: Readonly<Record<string, unknown>>,
): boolean {
  const scripts = Object.values(recordOf(manifest["scripts"]));
  if (scripts.some((text) => typeof text === "string" && BUNDLERS.test(text)))
    return true;
  const { files, main } = manifest;
  if (typeof main === "string" && BUNDLE.test(main)) return true;
  if (!Array.isArray(files)) return false;
  const code = files.filter(
    (file): file is string =>
      typeof file === "string" && !/\.(?:d\.[cm]?ts|map|md|json)$/.test(file),
  );
  return code.length > 0 && code.every((file) => /^[^*]+\.[cm]?js$/.test(file));
}
