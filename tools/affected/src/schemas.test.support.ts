import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";

/** The schemas that this package ships. */
const schemas = new Ajv2020({ allowUnionTypes: true });
for (const name of [
  "list",
  "why",
  "graph",
  "audit",
  "trace",
  "compare",
  "init",
  "fingerprint",
  "cache",
])
  schemas.addSchema(
    JSON.parse(
      readFileSync(
        new URL(`../schemas/${name}.schema.json`, import.meta.url),
        "utf8",
      ),
    ) as Record<string, unknown>,
  );

/**
 * Validates an output against the schema that the package ships.
 * @param name the name of the command
 * @returns the violations; usually empty
 */
export function misfits(
  name:
    | "list"
    | "why"
    | "graph"
    | "audit"
    | "trace"
    | "compare"
    | "init"
    | "fingerprint"
    | "cache",
  document: unknown,
): readonly unknown[] {
  schemas.validate(`urn:skein:affected:${name}:1`, document);
  return (schemas.errors ?? []).map(({ instancePath, message }) => [
    instancePath,
    message,
  ]);
}
