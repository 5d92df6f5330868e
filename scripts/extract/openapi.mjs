// Extracts the operations that Skein uses from GitHub's OpenAPI description, as JSON Schema, without descriptions.
// usage: node scripts/extract/openapi.mjs [file]   a copy of api.github.com.json; without one it is fetched from npm
// Run it by hand when an operation is added below or GitHub's description changes, and commit its output.
import { readFileSync, writeFileSync } from "node:fs";
import { fetchNpmFile } from "./fetch-npm-file.mjs";

const PACKAGE = "@octokit/openapi@23.0.2";
const TARGET = "packages/testing/fixtures/github-openapi.json";

const REPOSITORY = "/repos/{owner}/{repo}";
/** Method and path. Paths that begin with a dot are relative to the repository's. */
const OPERATIONS = `
GET /rate_limit
GET .
GET ./activity
GET ./branches
GET ./commits
GET ./commits/{ref}
GET ./commits/{ref}/check-runs
GET ./commits/{ref}/check-suites
GET ./commits/{ref}/status
GET ./commits/{ref}/statuses
GET ./commits/{commit_sha}/pulls
GET ./compare/{basehead}
GET ./contents/{path}
GET ./git/blobs/{file_sha}
GET ./git/commits/{commit_sha}
GET ./git/matching-refs/{ref}
GET ./git/ref/{ref}
GET ./git/tags/{tag_sha}
GET ./git/trees/{tree_sha}
GET ./tags
GET ./pulls
GET ./pulls/{pull_number}
GET ./pulls/{pull_number}/commits
GET ./pulls/{pull_number}/files
GET ./pulls/{pull_number}/reviews
GET ./issues
GET ./issues/{issue_number}
GET ./issues/{issue_number}/comments
POST ./issues/{issue_number}/comments
PATCH ./issues/comments/{comment_id}
GET ./issues/{issue_number}/timeline
GET ./issues/events
GET ./releases
GET ./deployments
GET ./deployments/{deployment_id}/statuses
GET ./check-runs/{check_run_id}
POST ./check-runs
PATCH ./check-runs/{check_run_id}
GET ./check-runs/{check_run_id}/annotations
GET ./check-suites/{check_suite_id}/check-runs
GET ./rules/branches/{branch}
POST ./statuses/{sha}
GET ./actions/workflows
GET ./actions/workflows/{workflow_id}
GET ./actions/workflows/{workflow_id}/runs
POST ./actions/workflows/{workflow_id}/dispatches
GET ./actions/runs
GET ./actions/runs/{run_id}
GET ./actions/runs/{run_id}/attempts/{attempt_number}
GET ./actions/runs/{run_id}/attempts/{attempt_number}/jobs
GET ./actions/runs/{run_id}/jobs
GET ./actions/runs/{run_id}/artifacts
GET ./actions/runs/{run_id}/timing
POST ./actions/runs/{run_id}/cancel
POST ./actions/runs/{run_id}/force-cancel
POST ./actions/runs/{run_id}/rerun
POST ./actions/runs/{run_id}/rerun-failed-jobs
GET ./actions/jobs/{job_id}
POST ./actions/jobs/{job_id}/rerun
GET ./actions/artifacts
GET ./actions/artifacts/{artifact_id}
GET ./actions/artifacts/{artifact_id}/{archive_format}
`
  .trim()
  .split("\n")
  .map((line) => {
    const [method, path] = line.split(" ");
    return { method, path: path.replace(/^\./, REPOSITORY) };
  });

const [given] = process.argv.slice(2);
// The package unpacks to 385 MB, so only the one file is extracted.
const description = JSON.parse(
  given
    ? readFileSync(given, "utf8")
    : fetchNpmFile(PACKAGE, "generated/api.github.com.json"),
);

/** The keywords to keep. All others are descriptions, or don't constrain a value. */
const KEYWORDS = new Set(
  `$ref type enum properties required additionalProperties items allOf anyOf oneOf not pattern
  minimum maximum minLength maxLength minItems maxItems uniqueItems minProperties maxProperties`.split(
    /\s+/,
  ),
);
/** Formats of values that a test could get wrong. */
const FORMATS = new Set(["date-time", "date", "uri"]);
/**
 * Parameters that GitHub describes as one time, although its text says that they are ranges, as in a search
 * (`>=2026-01-01`).
 */
const RANGES = new Set(["created"]);
const needed = new Set();

/** Converts OpenAPI 3.0's dialect to JSON Schema: `nullable` becomes a type, and references point to `$defs`. */
function schemaOf(from) {
  if (Array.isArray(from)) return from.map(schemaOf);
  if (typeof from !== "object" || from === null) return from;
  const out = {};
  for (const [key, value] of Object.entries(from)) {
    if (key === "format" && FORMATS.has(value)) out.format = value;
    if (!KEYWORDS.has(key)) continue;
    if (key === "$ref") {
      const name = value.replace("#/components/schemas/", "");
      needed.add(name);
      out.$ref = `#/$defs/${name}`;
    } else if (key === "properties")
      out.properties = Object.fromEntries(
        Object.entries(value).map(([name, schema]) => [name, schemaOf(schema)]),
      );
    else if (key === "enum" || key === "required") out[key] = value;
    else out[key] = schemaOf(value);
  }
  if (from.nullable !== true) return out;
  if (typeof out.type !== "string") return { anyOf: [out, { type: "null" }] };
  return {
    ...out,
    type: [out.type, "null"],
    ...(out.enum && { enum: [...new Set([...out.enum, null])] }),
  };
}

function deref(value) {
  if (!value?.$ref) return value;
  return value.$ref
    .slice(2)
    .split("/")
    .reduce((at, key) => at[key], description);
}

const values = () => ({
  type: "object",
  properties: {},
  required: [],
  additionalProperties: false,
});

function operationOf({ method, path }) {
  const item = description.paths[path];
  const found = item?.[method.toLowerCase()];
  if (!found) throw new Error(`GitHub does not describe ${method} ${path}`);
  const parameters = { path: values(), query: values() };
  for (const each of [
    ...(item.parameters ?? []),
    ...(found.parameters ?? []),
  ]) {
    const { in: where, name, required, schema } = deref(each);
    if (where === "header") continue;
    parameters[where].properties[name] = RANGES.has(name)
      ? { type: "string" }
      : schemaOf(schema);
    if (required) parameters[where].required.push(name);
  }
  const body = deref(found.requestBody);
  const responses = Object.entries(found.responses).map(([status, each]) => {
    const schema = deref(each).content?.["application/json"]?.schema;
    return [status, schema ? schemaOf(schema) : null];
  });
  return {
    ...parameters,
    ...(body && {
      body: {
        required: body.required === true,
        schema: schemaOf(body.content["application/json"].schema),
      },
    }),
    responses: Object.fromEntries(responses),
  };
}

/**
 * Corrects schemas that differ from GitHub's answers: the head of a pull request whose fork was deleted has neither
 * field.
 */
function correct(name, schema) {
  if (!["pull-request", "pull-request-simple"].includes(name)) return schema;
  const { properties } = schema.properties.head;
  for (const field of ["repo", "user"])
    properties[field] = { anyOf: [properties[field], { type: "null" }] };
  return schema;
}

const operations = OPERATIONS.map((each) => [
  `${each.method} ${each.path}`,
  operationOf(each),
]);
const defs = new Map();
// Schemas refer to further ones; the loop ends when all are included.
for (const name of needed)
  defs.set(name, correct(name, schemaOf(description.components.schemas[name])));

/** Writes one line for each entry, so that changes of GitHub's description are readable. */
function lines(entries) {
  const parts = [...entries]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return `{\n${parts.join(",\n")}\n}`;
}

const source = {
  package: PACKAGE,
  from: "https://github.com/github/rest-api-description",
  license: "MIT; see github-openapi.LICENSE",
  changes:
    "scripts/extract/openapi.mjs took some operations, dropped the prose, and wrote the rest as JSON Schema",
};
const text = `{"source":${JSON.stringify(source, null, 1)},\n"operations":${lines(operations)},\n"$defs":${lines(defs)}}\n`;
JSON.parse(text);
writeFileSync(TARGET, text);
console.log(
  `${TARGET}: ${operations.length} operations, ${defs.size} schemas, ${(text.length / 1000).toFixed(0)} kB`,
);
