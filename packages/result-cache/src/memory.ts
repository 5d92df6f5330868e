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
import { outputRules, type OutputRules } from "./output-rules.js";
import { restoreOutputs } from "./restore-outputs.js";
import type { Scope } from "./scope.js";
import type { Store } from "./store.js";

export interface MemoryOptions {
  readonly store: Store;
  readonly scope: Scope;
  /** The cache's properties of each unit of the run. Units that are missing here run and aren't cached. */
  readonly wanted: ReadonlyMap<UnitId, Wanted>;
  /** The project's folder, absolute. */
  readonly root: string;
  /** Returns the paths that git tracks or doesn't ignore, relative to the project's folder. */
  readonly sources: () => Promise<readonly string[]>;
  /** Our own folder for files before they are moved into a package; absolute, need not exist. */
  readonly stage: string;
  /** Run everything, and replace cached results. */
  readonly force: boolean;
  /** HEAD. */
  readonly commit: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number;
  readonly unique: () => string;
  /**
   * Compares the inputs with those before the run.
   * @returns why each of these units may not be cached; without units whose inputs are unchanged
   */
  readonly verify: (
    units: readonly Unit[],
  ) => Promise<ReadonlyMap<UnitId, string>>;
}

/** A unit that passed and whose inputs haven't been compared yet. */
interface Pending {
  readonly result: PassedUnit;
  readonly kept: KeptResult;
  readonly key: string;
}

/** The report about the cache in a run. */
export interface MemoryReport {
  /** Why units that passed were not cached. */
  readonly notKept: ReadonlyMap<UnitId, string>;
  /** Why outputs could not be restored, so that units ran. */
  readonly notRestored: ReadonlyMap<UnitId, string>;
  /** Units whose cached result was damaged, so that they ran. */
  readonly damaged: readonly UnitId[];
  /** Why nothing could be written; undefined if everything was. */
  readonly failure: string | undefined;
  /** The names in the store of the new results. */
  readonly kept: readonly string[];
}

/** The pause between two comparisons, as a multiple of the last one's duration, so that a cold cache costs little. */
const PATIENCE = 10;
/**
 * The time until the first comparison in a long run, in milliseconds. If the run is killed later, the compared results
 * are already cached.
 */
const FIRST_MS = 30_000;

/** The cache of one run: results of earlier runs, and those that the run adds. Never throws because of its content. */
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

  /** Looks for every unit whose result isn't known yet: at the start, and after results came from the server. */
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

  /** Returns the units without a known result, which the server may have. */
  missing(): readonly Wanted[] {
    const { wanted, force } = this.#options;
    return force
      ? []
      : [...wanted].flatMap(([id, want]) =>
          this.#known.has(id) ? [] : [want],
        );
  }

  /** Returns the cached result that a unit would be replayed from. */
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
    // Other units keep running. Those that pass from now on are compared the next time.
    this.#verifying = this.#settle();
  }

  /**
   * Compares and caches the remaining results. Must be called once, when all units have ended.
   * @param interrupted whether to drop the remaining results instead
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
        // Another run may have cached the same result in the meantime.
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

/**
 * Returns a folder from which files can be renamed into the package: our own, or one in the package if that is on
 * another file system.
 */
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
