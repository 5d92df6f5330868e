import { readFileSync } from "node:fs";
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import formats from "ajv-formats";

/** A parsed request. */
export interface DescribedRequest {
  /** `GET /repos/{owner}/{repo}` */
  readonly operation: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

interface Description {
  readonly operations: Readonly<Record<string, Operation>>;
  readonly $defs: Readonly<Record<string, unknown>>;
}
interface Operation {
  readonly body?: { readonly required: boolean; readonly schema: BodySchema };
  /** Schemas by status; null if the answer has no JSON. */
  readonly responses: Readonly<Record<string, unknown>>;
}
interface BodySchema {
  readonly properties?: Readonly<Record<string, unknown>>;
}

const FILE = new URL("../../fixtures/github-openapi.json", import.meta.url);

let opened: { description: Description; checkers: Checkers } | undefined;
function open() {
  if (opened) return opened;
  const description = JSON.parse(readFileSync(FILE, "utf8")) as Description;
  return (opened = { description, checkers: new Checkers(description) });
}

/** Returns whether this operation is in GitHub's description, as far as `scripts/extract/openapi.mjs` extracted it. */
export function isDescribed(operation: string): boolean {
  return operation in open().description.operations;
}

/**
 * Returns the breaches of GitHub's own description in a request. A member or parameter that it doesn't list is a breach
 * too, because GitHub would ignore it.
 */
export function breachesOfRequest(request: DescribedRequest): string[] {
  const { operation, params, query, body } = request;
  const { description, checkers } = open();
  const described = description.operations[operation];
  if (!described) return [`${operation} is not described`];
  const of = (...path: string[]) =>
    checkers.of("operations", operation, ...path);
  const breaches = [
    ...checkers.run(of("path"), { ...params }, "path"),
    ...checkers.run(of("query"), Object.fromEntries(query), "query"),
  ];
  if (body === undefined)
    return described.body?.required === true
      ? [...breaches, "the body is missing"]
      : breaches;
  if (!described.body) return [...breaches, "there is a body"];
  const { properties } = described.body.schema;
  const unknown = Object.keys(body ?? {}).filter(
    (name) => properties && !(name in properties),
  );
  return [
    ...breaches,
    ...unknown.map((name) => `body has a member ${name}, which is unknown`),
    ...checkers.run(of("body", "schema"), body, "body"),
  ];
}

/**
 * Returns the breaches in an answer. Errors that GitHub returns but doesn't describe (401, 403, 5xx) are not checked.
 */
export function breachesOfAnswer(
  operation: string,
  { status, body }: { readonly status: number; readonly body?: unknown },
): string[] {
  const { description, checkers } = open();
  const responses = description.operations[operation]?.responses ?? {};
  const key = String(status);
  if (!(key in responses))
    return status < 400 ? [`the status ${key} is not described`] : [];
  if (responses[key] === null)
    return body === undefined ? [] : [`an answer of ${key} has no body`];
  const check = checkers.of("operations", operation, "responses", key);
  return checkers.run(check, body, key);
}

/** Compiles each schema on first use, because all of them would take a second. */
class Checkers {
  readonly #values: Ajv;
  readonly #words: Ajv;

  constructor(description: Description) {
    const make = (coerceTypes: boolean) => {
      // Not strict: the description has members that aren't keywords, and implied types. A schema that others refer to
      // is compiled once, unchanged: 0.4 s for all operations instead of 2.
      const ajv = new Ajv({
        strict: false,
        allErrors: true,
        coerceTypes,
        inlineRefs: false,
        code: { optimize: false },
      });
      formats.default(ajv, ["date-time", "date", "uri"]);
      ajv.addSchema({ $id: "github", ...description });
      return ajv;
    };
    this.#values = make(false);
    // Values in paths and queries are always strings, whatever their types.
    this.#words = make(true);
  }

  of(...path: string[]): ValidateFunction {
    const pointer = path
      .map((part) =>
        encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")),
      )
      .join("/");
    const ajv = ["path", "query"].includes(path.at(-1) ?? "")
      ? this.#words
      : this.#values;
    const found = ajv.getSchema(`github#/${pointer}`);
    if (!found) throw new Error(`no schema at ${pointer}`);
    return found as ValidateFunction;
  }

  run(check: ValidateFunction, value: unknown, where: string): string[] {
    if (check(value)) return [];
    return (check.errors ?? []).map(
      ({ instancePath, message, params }: ErrorObject) =>
        `${where}${instancePath} ${message ?? "is wrong"} ${JSON.stringify(params)}`,
    );
  }
}
