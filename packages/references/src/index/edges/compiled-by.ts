import { below, dirOf, foldersAbove, isWithin } from "../../resolve.js";

/** Settings with which other packages compile the modules in the same folder or below it. */
const COMPILED_BY =
  `tsconfig.json jsconfig.json .babelrc .babelrc.json .babelrc.js .babelrc.cjs .babelrc.mjs babel.config.js
  babel.config.cjs babel.config.mjs babel.config.json babel.config.ts .swcrc`.split(
    /\s+/,
  );
/** The same for stylesheets. */
const STYLED_BY =
  `postcss.config.js postcss.config.cjs postcss.config.mjs postcss.config.ts .postcssrc .postcssrc.json .postcssrc.js
  .postcssrc.cjs .postcssrc.yml tailwind.config.js tailwind.config.cjs tailwind.config.mjs tailwind.config.ts`.split(
    /\s+/,
  );
const STYLE = /\.(?:css|p(?:ost)?css|s[ac]ss|less|styl|vue|svelte|astro)$/;
/** Files that contain no script, and that no compiler of scripts reads. */
const NO_SCRIPT =
  /\.(?:json5?|jsonc|css|p(?:ost)?css|s[ac]ss|less|styl|md|txt|[ct]sv|ya?ml|graphqls?|gql|proto|sql|html?|svg|xml|hbs|ejs|mustache)$/;

/**
 * Opens the list of settings with which files of a package are compiled: those in the folder of a file, and in the folders above, up
 * to the package's. Git need not have them.
 * @param dir the package's folder; empty for files of the root
 * @returns a function that returns only settings that it hasn't returned before
 */
export function openCompiledBy(
  dir: string,
): (file: string) => readonly string[] {
  const known = new Set<string>();
  return (file) => {
    const names = [
      ...(NO_SCRIPT.test(file) ? [] : COMPILED_BY),
      ...(STYLE.test(file) ? STYLED_BY : []),
    ];
    const key = `${names.length} ${dirOf(file)}`;
    if (known.has(key)) return [];
    known.add(key);
    return foldersAbove(file).flatMap((folder) =>
      isWithin(folder, dir) ? names.map((name) => below(folder, name)) : [],
    );
  };
}
