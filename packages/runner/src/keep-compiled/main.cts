// `node --require` loads this file before a Yarn that we start, because compiling Yarn's single file of four megabytes takes
// nearly half of a short `yarn install`. Node 22 and later cache compiled code themselves if they are asked to. For Node 20,
// the cache is beside this file: anyone who can write there could change the program itself. Its key is the hash of the
// source, because V8 compares only the length of the source.
const [crypto, fs, module_, path, v8, vm] = [
  process.getBuiltinModule("node:crypto"),
  process.getBuiltinModule("node:fs"),
  process.getBuiltinModule("node:module"),
  process.getBuiltinModule("node:path"),
  process.getBuiltinModule("node:v8"),
  process.getBuiltinModule("node:vm"),
];

/** The parts of Node's loader that this file replaces. Node doesn't document them, but only Node 20 needs this. */
interface Loader {
  prototype: {
    _compile: (
      this: NodeJS.Module,
      content: string,
      filename: string,
    ) => unknown;
  };
  wrap: (content: string) => string;
}

/** In characters. Shorter files compile fast enough. */
const WORTH_KEEPING = 500_000;

const { enableCompileCache } = module_ as {
  enableCompileCache?: (folder: string) => unknown;
};
if (enableCompileCache) enableCompileCache(path.join(__dirname, "kept"));
else keepCompiled(module_ as unknown as Loader);

function keepCompiled({ prototype, wrap }: Loader): void {
  const { _compile: compile } = prototype;
  prototype._compile = function (content, filename) {
    // Node 20 rejects import() in code from a compile cache.
    if (content.length < WORTH_KEEPING || /\bimport\s*\(/.test(content))
      return compile.call(this, content, filename);
    const file = keptFile(content);
    const cachedData = readIfThere(file);
    // V8 drops the code of functions that haven't run for a while, first of all that of the outermost one. Compiling it again
    // means reading the whole file, a third of a start.
    if (!cachedData) v8.setFlagsFromString("--no-flush-bytecode");
    const script = new vm.Script(wrap(content.replace(/^#!/, "//")), {
      filename,
      ...(cachedData && { cachedData }),
    });
    // At exit, the script also contains the functions that were compiled on demand.
    if (!cachedData || script.cachedDataRejected)
      process.once("exit", () => {
        // A cache is only valid with the flags under which it was written.
        v8.setFlagsFromString("--flush-bytecode");
        keep(file, script.createCachedData());
      });
    const run = script.runInThisContext() as (...given: unknown[]) => unknown;
    return run.call(
      this.exports,
      this.exports,
      module_.createRequire(filename),
      this,
      filename,
      path.dirname(filename),
    );
  };
}

function keptFile(content: string): string {
  const hash = crypto.createHash("sha256").update(content).digest("hex");
  const { versions, arch } = process;
  return path.join(
    __dirname,
    "kept",
    `${hash.slice(0, 32)}-${versions.v8}-${arch}`,
  );
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return fs.readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Stores compiled code. If the folder isn't writable, the next start compiles again. */
function keep(file: string, bytes: Buffer): void {
  const temporary = `${file}.${process.pid}`;
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(temporary, bytes, { flag: "wx" });
    fs.renameSync(temporary, file);
  } catch {
    fs.rmSync(temporary, { force: true });
  }
}
