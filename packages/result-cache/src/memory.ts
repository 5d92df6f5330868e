import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { withoutSecrets } from "@skein/reporting";
import type { PassedUnit, ResultMemory, Unit, UnitId } from "@skein/runner";
import { collectOutputs } from "./collect-outputs.js";
import {
  blobsOf,
  decodeResult,
  encodeResult,
  resultKey,
} from "./kept-result.js";
import type { KeptResult, Wanted } from "./kept-result.js";
import { isExpired, keepRefusal } from "./may-keep.js";
import { outputRules } from "./output-rules.js";
import type { OutputRules } from "./output-rules.js";
import { restoreOutputs } from "./restore-outputs.js";
import type { Scope } from "./scope.js";
import type { Store } from "./store.js";

export interface MemoryOptions {
  readonly store: Store;
  readonly scope: Scope;
  /** What each unit of the run is kept under; units that are missing run and are not kept. */
  readonly wanted: ReadonlyMap<UnitId, Wanted>;
  /** The project's folder, absolute. */
  readonly root: string;
  /** Paths from the project's folder that git tracks or does not ignore. */
  readonly sources: () => Promise<readonly string[]>;
  /** A folder of ours for files on their way into a package; absolute, need not exist. */
  readonly stage: string;
  /** Run everything, and keep it in place of what is there. */
  readonly force: boolean;
  /** HEAD. */
  readonly commit: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly unique: () => string;
  /**
   * Compares the inputs with what they were before the run.
   * @returns why each of these units may not be kept; without those whose inputs are unchanged
   */
  readonly verify: (
    units: readonly Unit[],
  ) => Promise<ReadonlyMap<UnitId, string>>;
}

/** A unit that passed and is not yet compared. */
interface Pending {
  readonly result: PassedUnit;
  readonly kept: KeptResult;
  readonly key: string;
}

/** What a run did with the cache, for its words. */
export interface MemoryReport {
  /** Why units that passed were not kept. */
  readonly notKept: ReadonlyMap<UnitId, string>;
  /** Why outputs could not be put in place, so that units ran. */
  readonly notRestored: ReadonlyMap<UnitId, string>;
  /** Units whose kept result was damaged, so that they ran. */
  readonly damaged: readonly UnitId[];
  /** Why nothing could be written; undefined where all was. */
  readonly failure: string | undefined;
  /** Names in the store of what was written. */
  readonly kept: readonly string[];
}

/** Between two comparisons lies so many times what the last one took, so that a cold cache costs little. */
const PATIENCE = 10;
/** Milliseconds until the first comparison of a long run: if it is killed, what was compared is kept. */
const FIRST_MS = 30_000;

/** Results of earlier runs for one run, and what it adds to them. Never throws for what lies in the cache. */
export class Memory implements ResultMemory {
  readonly #options: MemoryOptions;
  readonly #known = new Map<UnitId, KeptResult>();
  readonly #rules = new Map<UnitId, OutputRules>();
  readonly #notKept = new Map<UnitId, string>();
  readonly #notRestored = new Map<UnitId, string>();
  readonly #damaged: UnitId[] = [];
  readonly #kept: string[] = [];
  #pending: Pending[] = [];
  #sources: Promise<readonly string[]> | undefined;
  #verifying: Promise<void> = Promise.resolve();
  #next: number;
  #failure: string | undefined;
  #stages = 0;

  constructor(options: MemoryOptions) {
    this.#options = options;
    this.#next = options.now() + FIRST_MS;
    if (!options.force) this.look();
  }

  /** Looks for every unit that is not known yet: at the beginning, and when results came from elsewhere. */
  look(): void {
    const { wanted, scope } = this.#options;
    for (const [id, want] of wanted) {
      if (this.#known.has(id)) continue;
      for (const name of scope.reads) {
        const found = this.#find(id, name, want);
        if (!found) continue;
        this.#known.set(id, found);
        break;
      }
    }
  }

  knows({ id }: Unit): boolean {
    return this.#known.has(id);
  }

  /** Returns what is wanted and not known, for which somebody else may be asked. */
  missing(): readonly Wanted[] {
    const { wanted, force } = this.#options;
    return force
      ? []
      : [...wanted].flatMap(([id, want]) =>
          this.#known.has(id) ? [] : [want],
        );
  }

  /** Returns the kept result that a unit would be replayed from. */
  known({ id }: Unit): KeptResult | undefined {
    return this.#known.get(id);
  }

  async recall(unit: Unit): Promise<PassedUnit | undefined> {
    const known = this.#known.get(unit.id);
    const want = this.#options.wanted.get(unit.id);
    if (!known || !want) return undefined;
    const isHere = await this.#restore(unit, known, want).catch(
      (error: unknown) => {
        this.#notRestored.set(unit.id, messageOf(error));
        return false;
      },
    );
    if (!isHere) {
      this.#known.delete(unit.id);
      return undefined;
    }
    const { store } = this.#options;
    store.use(resultKey(known.scope, want), blobsOf(known));
    const { log } = known;
    return {
      unit,
      status: "passed",
      exitCode: 0,
      durationMs: known.durationMs,
      via: known.via,
      leftBehind: false,
      output: {
        text: log.text,
        bytes: log.bytes,
        ...(log.blob !== null && { file: store.blob(log.blob) }),
      },
      replayed: { commit: known.commit ?? undefined, at: known.at },
    };
  }

  async passed(result: PassedUnit): Promise<void> {
    const { id } = result.unit;
    const want = this.#options.wanted.get(id);
    if (!want) return;
    const why = keepRefusal(result);
    if (why !== undefined) {
      this.#notKept.set(id, why);
      return;
    }
    try {
      await this.#collect(result, want);
    } catch (error) {
      this.#failure ??= messageOf(error);
    }
    if (this.#options.now() < this.#next) return;
    this.#next = Infinity;
    // Units go on meanwhile. What passes from now on is compared the next time.
    this.#verifying = this.#settle();
  }

  /**
   * Compares and keeps what is left. To be called once, when all units have ended.
   * @param interrupted whether what is left is dropped instead
   */
  async finish(interrupted: boolean): Promise<MemoryReport> {
    await this.#verifying;
    if (!interrupted) await this.#settle();
    return {
      notKept: this.#notKept,
      notRestored: this.#notRestored,
      damaged: this.#damaged,
      failure: this.#failure,
      kept: this.#kept,
    };
  }

  #find(id: UnitId, scope: string, want: Wanted): KeptResult | undefined {
    const { store, now } = this.#options;
    const opened = store.read(resultKey(scope, want));
    if (!opened || opened.kind === "unproven") return undefined;
    const result =
      opened.kind === "open" ? decodeResult(opened.body) : undefined;
    const isIts =
      result?.unit === want.unit &&
      result.scope === scope &&
      result.fingerprint === want.fingerprint;
    if (!isIts) {
      this.#damaged.push(id);
      return undefined;
    }
    return isExpired(result.at, now(), want.maxAgeSeconds) ? undefined : result;
  }

  async #restore(
    unit: Unit,
    known: KeptResult,
    want: Wanted,
  ): Promise<boolean> {
    const { store, unique } = this.#options;
    const { log, outputs } = known;
    if (log.blob !== null && !store.readBlob(log.blob)) {
      this.#damaged.push(unit.id);
      return false;
    }
    if (want.outputs.length === 0) return true;
    const folder = join(this.#options.root, unit.dir);
    const done = await restoreOutputs({
      folder,
      items: outputs,
      rules: await this.#rulesOf(unit, want),
      store,
      stage: stageFor(
        folder,
        this.#options.stage,
        `${unique()}-${this.#stages++}`,
      ),
    });
    if (done.kind === "damaged") this.#damaged.push(unit.id);
    if (done.kind === "refused") this.#notRestored.set(unit.id, done.why);
    return done.kind === "restored";
  }

  async #collect(result: PassedUnit, want: Wanted): Promise<void> {
    const { store, scope, root, commit, env, now } = this.#options;
    const { unit, output } = result;
    const collected =
      want.outputs.length === 0
        ? ({ kind: "collected", items: [] } as const)
        : await collectOutputs(
            join(root, unit.dir),
            await this.#rulesOf(unit, want),
            store,
          );
    if (collected.kind === "refused") {
      this.#notKept.set(unit.id, collected.why);
      return;
    }
    const whole =
      output.file === undefined
        ? undefined
        : withoutSecrets(await readFile(output.file, "utf8"), env);
    const kept: KeptResult = {
      version: 1,
      unit: unit.id,
      scope: scope.own,
      fingerprint: want.fingerprint,
      commit: commit ?? null,
      at: now(),
      durationMs: result.durationMs,
      via: result.via,
      log: {
        text: withoutSecrets(output.text, env),
        bytes: output.bytes,
        blob: whole === undefined ? null : store.putBytes(Buffer.from(whole)),
      },
      outputs: collected.items,
    };
    this.#pending.push({ result, kept, key: resultKey(scope.own, want) });
  }

  async #settle(): Promise<void> {
    const pending = this.#pending;
    this.#pending = [];
    if (pending.length === 0) return;
    const { now, verify, store, force } = this.#options;
    const start = now();
    try {
      const changed = await verify(pending.map(({ result }) => result.unit));
      for (const { kept, key } of pending) {
        const why = changed.get(kept.unit);
        if (why !== undefined) this.#notKept.set(kept.unit, why);
        // Another run may have kept the same meanwhile.
        else if (force || store.read(key)?.kind !== "open") {
          store.write(key, encodeResult(kept), blobsOf(kept));
          this.#kept.push(key);
        }
      }
    } catch (error) {
      this.#failure ??= messageOf(error);
    }
    this.#next =
      now() + PATIENCE * Math.max(now() - start, FIRST_MS / PATIENCE);
  }

  async #rulesOf(unit: Unit, want: Wanted): Promise<OutputRules> {
    const known = this.#rules.get(unit.id);
    if (known) return known;
    const prefix = unit.dir === "." ? "" : `${unit.dir}/`;
    const sources = await (this.#sources ??= this.#options.sources());
    const own = sources.flatMap((path) =>
      path.startsWith(prefix) ? [path.slice(prefix.length)] : [],
    );
    const rules = outputRules(want.outputs, new Set(own));
    this.#rules.set(unit.id, rules);
    return rules;
  }
}

/** A folder from which a rename into the package is possible: ours, or one in the package where that is another file system. */
function stageFor(folder: string, ours: string, word: string): string {
  const device = (path: string) =>
    statSync(path, { throwIfNoEntry: false })?.dev;
  return device(folder) === device(join(ours, ".."))
    ? join(ours, word)
    : join(folder, `.skein-${word}`);
}

function messageOf(error: unknown): string {
  return (error as Partial<Error> | undefined)?.message ?? String(error);
}
