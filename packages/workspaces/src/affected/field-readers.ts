import type { AffectedInput } from "./input.js";
import type { Lookups, Reader } from "./lookups.js";

/** Fields of a package.json whose keys are names of packages. */
const DECLARES =
  /^(?:(?:dev|peer|optional)?[dD]ependencies(?:Meta)?|resolutions)$/;

/** Returns the readers of the fields of the root's package.json whose settings contain a specifier. */
export function fieldReaders(
  specifier: string,
  lookups: Lookups,
  { root }: AffectedInput["head"],
): readonly Reader[] {
  // A package that settings name is declared too, and a declaration loads nothing.
  const fields = Object.entries(root.fields).filter(
    ([field]) => !DECLARES.test(field),
  );
  const holding = fields.filter(([, value]) =>
    JSON.stringify(value).includes(specifier),
  );
  // A specifier with an escape in it has another spelling.
  return (holding.length > 0 ? holding : fields).flatMap(([field]) =>
    lookups.readersOfField(field),
  );
}
