import {
  PLAIN_PROGRAMS,
  programsIn,
  type ScriptPrograms,
} from "@skein/known-tools";
import type { Scripts } from "./units.js";

/** The programs of one script. */
export interface CalledPrograms extends Pick<
  ScriptPrograms,
  "tools" | "unknown" | "programs"
> {
  /** The files that Node runs, if the script runs no other unknown program. */
  readonly files?: readonly string[];
}

/** Yields the programs of a script and of every script that it calls; a call that isn't a script is an unknown program. */
export function* programsCalled(
  script: string,
  own: Scripts,
  root: Scripts,
): Iterable<CalledPrograms> {
  const first = own[script] ?? "";
  const texts = new Map([[first, { text: first, isRoots: own === root }]]);
  for (const { text, isRoots } of texts.values()) {
    const { tools, unknown, unknownBesides, programs, calls, files } =
      programsIn(text);
    let unresolved = unknown;
    // It isn't known in which folder a script of the root runs that a package calls.
    let isUnknown = unknownBesides !== undefined || (isRoots && own !== root);
    for (const call of calls) {
      const name = call.replace(/^-T /, "");
      const isTop = isRoots || name !== call;
      const called = scriptsCalled(name, isTop, own, root);
      for (const each of called)
        texts.set(`${each.text}\0${String(each.isRoots)}`, each);
      const isKnown = tools.has(name) || PLAIN_PROGRAMS.has(name);
      if (called.length === 0 && !isKnown && !/[./*]/.test(name)) {
        unresolved ??= name;
        isUnknown = true;
      }
    }
    yield {
      tools,
      unknown: unresolved,
      programs,
      ...(!isUnknown && { files }),
    };
  }
}

/** The text of a script. */
interface Called {
  readonly text: string;
  /** The script belongs to the root. A call in it can mean a script of the root. */
  readonly isRoots: boolean;
}

/**
 * @param isTop whether it may mean the root's script even if the package has one of that name: `run -T x`,
 *   `cd ../.. && yarn x`
 */
function scriptsCalled(
  call: string,
  isTop: boolean,
  own: Scripts,
  root: Scripts,
): readonly Called[] {
  const [start = "", wild] = call.split("*", 2);
  const isMeant = (name: string) =>
    wild === undefined ? name === call : name.startsWith(start);
  const textsOf = (scripts: Scripts, isRoots: boolean) =>
    Object.entries(scripts).flatMap(([name, text]) =>
      isMeant(name) ? [{ text, isRoots }] : [],
    );
  const found = textsOf(own, own === root);
  return found.length > 0 && !isTop
    ? found
    : [...found, ...textsOf(root, true)];
}
