import { nearest } from "@skein/reporting";
import {
  isFunctionName,
  usageOf,
  type FunctionName,
  type Query,
  type QueryProblem,
  type Span,
} from "./syntax.js";
import { tokenize, type Symbol, type Token } from "./tokens.js";

/** A parsed query, or the problem with its text. */
export type Parsed =
  | { readonly ok: true; readonly query: Query }
  | { readonly ok: false; readonly problem: QueryProblem };

/** The maximum depth. It exceeds any real query, but recursion cannot overflow the stack. */
const deepest = 500;

/** Parses a query. Pure; never throws. The grammar is in docs/filter.md. */
export function parseQuery(text: string): Parsed {
  const read = tokenize(text);
  if ("problem" in read) return { ok: false, problem: read.problem };
  try {
    return { ok: true, query: new Parser(text, read.tokens).whole() };
  } catch (error) {
    if (error instanceof Stop) return { ok: false, problem: error.problem };
    throw error;
  }
}

/** An error that ends the recursive descent at the first problem. It never leaves this file. */
class Stop extends Error {
  readonly problem: QueryProblem;
  constructor(problem: QueryProblem) {
    super(problem.kind);
    this.problem = problem;
  }
}

/** A parser with one method for each rule of the grammar. Its only state is the place in the tokens. */
class Parser {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(text: string, tokens: readonly Token[]) {
    this.#text = text;
    this.#tokens = tokens;
  }

  whole(): Query {
    if (this.#tokens.length === 0)
      throw new Stop({
        kind: "empty-query",
        at: { start: 0, length: this.#text.length },
      });
    const query = this.#union();
    if (this.#peek() !== undefined)
      throw this.#unexpected("an operator (|, &, - or not)");
    return query;
  }

  #union(): Query {
    const first = this.#narrow();
    if (!this.#isNext("|")) return first;
    const parts = [first];
    while (this.#take("|")) parts.push(this.#narrow());
    // `(a | b) | c` becomes `a | b | c`. A union is one list, so that thousands of names don't result in a deep tree.
    const of = parts.flatMap((part) =>
      part.kind === "union" ? part.of : [part],
    );
    return { kind: "union", of, at: spanning(first.at, parts.at(-1)?.at) };
  }

  #narrow(): Query {
    let left = this.#unary();
    for (let steps = 1; ; steps++) {
      const kind = this.#take("&")
        ? "intersection"
        : this.#take("-") || this.#take("not")
          ? "difference"
          : undefined;
      if (kind === undefined) return left;
      if (steps > deepest) throw new Stop({ kind: "too-deep", at: left.at });
      const right = this.#unary();
      left = { kind, left, right, at: spanning(left.at, right.at) };
    }
  }

  #unary(): Query {
    const token = this.#peek();
    if (!this.#take("not") || token === undefined) return this.#primary();
    const of = this.#nested(token.at, () => this.#unary());
    return { kind: "complement", of, at: spanning(token.at, of.at) };
  }

  #primary(): Query {
    const token = this.#peek();
    if (token && this.#take("(")) {
      const inner = this.#nested(token.at, () => this.#union());
      this.#close(token.at);
      return inner;
    }
    if (token?.kind !== "word")
      throw this.#unexpected("a package, a glob, a function or (");
    this.#next++;
    const open = this.#peek();
    if (token.quoted || !open || !this.#take("("))
      return { kind: "pattern", text: token.text, at: token.at };
    if (!isFunctionName(token.text))
      throw new Stop({
        kind: "unknown-function",
        name: token.text,
        meant: nearest(token.text, Object.keys(usageOf)),
        at: token.at,
      });
    const call = this.#nested(token.at, () =>
      this.#call(token.text as FunctionName, token.at),
    );
    const end = this.#close(open.at);
    return { ...call, at: spanning(token.at, end) };
  }

  #call(name: FunctionName, at: Span): Query {
    switch (name) {
      case "affected":
        return { kind: name, at };
      case "owner":
      case "tag": {
        const token = this.#peek();
        if (token?.kind !== "word") throw this.#wrongArguments(name, at);
        this.#next++;
        return { kind: name, text: token.text, at };
      }
      case "dependents":
      case "dependencies": {
        if (this.#peek() === undefined || this.#isNext(")"))
          throw this.#wrongArguments(name, at);
        const of = this.#union();
        return { kind: name, of, depth: this.#depthArgument(), at };
      }
    }
  }

  #depthArgument(): number | undefined {
    if (!this.#take(",")) return undefined;
    const token = this.#peek();
    const text = token?.kind === "word" ? token.text : undefined;
    if (
      token === undefined ||
      text === undefined ||
      !/^[1-9]\d{0,6}$/.test(text)
    )
      throw new Stop({
        kind: "bad-depth",
        found: token ? this.#textOf(token) : "",
        at: token?.at ?? this.#end(),
      });
    this.#next++;
    return Number(text);
  }

  /** Consumes the `)` of the `(` at a place. Any other token means too many arguments or a wrong part. */
  #close(open: Span): Span {
    const token = this.#peek();
    if (token === undefined)
      throw new Stop({ kind: "unclosed-parenthesis", at: open });
    if (!this.#take(")")) throw this.#unexpected("an operator or )");
    return token.at;
  }

  #nested<Result>(at: Span, rule: () => Result): Result {
    if (++this.#depth > deepest) throw new Stop({ kind: "too-deep", at });
    const result = rule();
    this.#depth--;
    return result;
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#next];
  }

  #isNext(symbol: Symbol): boolean {
    const token = this.#peek();
    return token?.kind === "symbol" && token.symbol === symbol;
  }

  #take(symbol: Symbol): boolean {
    if (!this.#isNext(symbol)) return false;
    this.#next++;
    return true;
  }

  #textOf({ at }: Token): string {
    return this.#text.slice(at.start, at.start + at.length);
  }

  #end(): Span {
    return { start: this.#text.length, length: 1 };
  }

  #unexpected(expected: string): Stop {
    const token = this.#peek();
    return new Stop({
      kind: "unexpected",
      found: token && this.#textOf(token),
      expected,
      at: token?.at ?? this.#end(),
    });
  }

  #wrongArguments(name: FunctionName, at: Span): Stop {
    return new Stop({ kind: "wrong-arguments", name, at });
  }
}

function spanning(first: Span, last: Span | undefined): Span {
  const end = last ? last.start + last.length : first.start + first.length;
  return { start: first.start, length: end - first.start };
}
