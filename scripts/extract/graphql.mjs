// Extracts the parts of GitHub's GraphQL schema that Skein's queries use, without descriptions, for the fake GitHub.
// usage: node scripts/extract/graphql.mjs [file]   a copy of schema.graphql; without one it is fetched from npm
// Run it by hand, after `yarn build`, when a query or GitHub's schema changes, and commit its output.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fetchNpmFile } from "./fetch-npm-file.mjs";
import * as queries from "../../packages/delivery-metrics/dist/github/queries.js";

// graphql is a dependency of the fake GitHub.
const require = createRequire(
  new URL("../../packages/testing/package.json", import.meta.url),
);
const {
  buildSchema,
  getNamedType,
  Kind,
  parse,
  print,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} = require("graphql");

const PACKAGE = "@octokit/graphql-schema@15.26.1";
const TARGET = "packages/testing/fixtures/github-schema.graphql";
/** Types of actors. No query names them, but the fake must return a type for each actor. */
const ACTORS = ["User", "Bot"];

const [given] = process.argv.slice(2);
const text = given
  ? readFileSync(given, "utf8")
  : fetchNpmFile(PACKAGE, "schema.graphql");
// GitHub's own file defines two fields twice.
const schema = buildSchema(text, { assumeValidSDL: true, noLocation: true });

/** Maps types to their used fields. The types of these fields are included, too. */
const touched = new Map();
function touch(type, field) {
  const { name } = getNamedType(type);
  if (!touched.has(name)) touched.set(name, new Set());
  if (field) touched.get(name).add(field);
}

for (const query of Object.values(queries)) {
  const document = parse(query);
  const errors = validate(schema, document);
  if (errors.length > 0) throw new AggregateError(errors, query);
  const info = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(info, {
      Field({ name }) {
        if (name.value === "__typename") return;
        touch(info.getParentType(), name.value);
        const field = info.getFieldDef();
        touch(field.type);
        for (const arg of field.args)
          if (!["before", "last"].includes(arg.name)) touchInput(arg.type);
      },
      InlineFragment() {
        touch(info.getType());
      },
    }),
  );
}
function touchInput(type) {
  const named = getNamedType(type);
  if (touched.has(named.name)) return;
  touch(named);
  if (!named.getFields) return;
  for (const field of Object.values(named.getFields())) {
    touch(named, field.name);
    touchInput(field.type);
  }
}
for (const name of ACTORS) touch(schema.getType(name));
touch(schema.getType("Node"), "id");
// A type that implements an interface has its fields.
for (const [name, fields] of touched)
  for (const each of schema.getType(name)?.getInterfaces?.() ?? [])
    for (const field of touched.get(each.name) ?? []) fields.add(field);
for (const [name, fields] of touched)
  for (const field of fields)
    touch(schema.getType(name).getFields()[field].type);

const kept = (node) => touched.has(node.name.value);
const pruned = visit(parse(text, { noLocation: true }), {
  enter({ kind }) {
    const isDirective = [Kind.DIRECTIVE_DEFINITION, Kind.DIRECTIVE];
    return isDirective.includes(kind) ? null : undefined;
  },
  leave(node) {
    if (!node.kind.endsWith("TypeDefinition")) return undefined;
    if (!kept(node)) return null;
    const fields = touched.get(node.name.value);
    const seen = new Set();
    return {
      ...node,
      description: undefined,
      ...(node.interfaces && { interfaces: node.interfaces.filter(kept) }),
      ...(node.kind === Kind.UNION_TYPE_DEFINITION && {
        types: node.types.filter(kept),
      }),
      ...(node.fields && {
        fields: node.fields
          .filter(({ name: { value } }) => {
            const is = fields.has(value) && !seen.has(value);
            seen.add(value);
            return is;
          })
          .map((field) => ({
            ...field,
            description: undefined,
            ...(field.arguments && {
              arguments: field.arguments
                .filter(({ type }) => touched.has(nameOf(type)))
                .map((arg) => ({ ...arg, description: undefined })),
            }),
          })),
      }),
      ...(node.values && {
        values: node.values.map((value) => ({
          ...value,
          description: undefined,
        })),
      }),
    };
  },
});

function nameOf(type) {
  return type.type ? nameOf(type.type) : type.name.value;
}

const header = `# From ${PACKAGE} (schema.graphql, MIT), by scripts/extract/graphql.mjs: what Skein's queries touch.\n\n`;
writeFileSync(TARGET, `${header}${print(pruned)}\n`);
