import type { Link } from "./reader-links.js";
import type { FindReaders, SearchReaders } from "./reader-search.js";

/** A report of API Extractor, and the name of its package without the scope. */
const REPORT = /(?:^|\/)([^/]+?)(?:\.(?:alpha|beta|public))?\.api\.md$/;
const SETTINGS = /(?:^|\/)[^/]*api-extractor[^/]*\.jsonc?$/;

/**
 * Opens the search for readers, of which each reads only its own report in a folder that the settings of API Extractor name
 * (`reportFileName` is `<unscopedPackageName>` by default: https://api-extractor.com/pages/configs/api-extractor_json). If no
 * reader has the report's name, all of them count.
 */
export function openReportReaders(
  search: SearchReaders,
  linksOf: (file: string) => readonly Link[],
): FindReaders {
  return (path) => {
    const [, name] = REPORT.exec(path) ?? [];
    if (name === undefined) return search(path);
    const links = linksOf(path);
    const isOfReports = (link: Link) => SETTINGS.test(fileOf(link, path));
    const readers = [...search(path, links.filter(isOfReports))];
    const own = readers.filter(
      ([reader]) => reader.replace(/^@[^/]*\//, "") === name,
    );
    const found = search(
      path,
      links.filter((link) => !isOfReports(link)),
    );
    for (const [reader, reason] of own.length > 0 ? own : readers) {
      const known = found.get(reader);
      if (!known || "testOnly" in known) found.set(reader, reason);
    }
    return found;
  };
}

/** Returns the file that contains the reference of a link. */
function fileOf(link: Link, path: string): string {
  if ("file" in link) return link.file;
  const reason = link.reasonOf(path);
  return reason.kind === "referenced-file" ? reason.referrer.file : "";
}
