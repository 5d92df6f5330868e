// Loaded by `node --require` before a Yarn that we start: to compile its one file of four megabytes is nearly half of a
// short `yarn install`. Node 22 and later keep compiled code by themselves when they are told to. For Node 20 it is kept
// beside this file: whoever can write here can write the program itself. It goes by the hash of the source, because V8
// compares no more than its length.
const [crypto, fs, module_, path, vm] = [
  process.getBuiltinModule("node:crypto"),
  process.getBuiltinModule("node:fs"),
  process.getBuiltinModule("node:module"),
  process.getBuiltinModule("node:path"),
  process.getBuiltinModule("node:vm"),
];

/** As much of Node's loader as is replaced; Node documents none of it, and Node 20 is the last that it is for. */
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

/** Characters; what is shorter compiles in no time. */
const WORTH_KEEPING = 500_000;

const { enableCompileCache } = module_ as {
  enableCompileCache?: (folder: string) => unknown;
};
if (enableCompileCache) enableCompileCache(path.join(__dirname, "kept"));
else keepCompiled(module_ as unknown as Loader);

function keepCompiled({ prototype, wrap }: Loader): void {
  const { _compile: compile } = prototype;
  prototype._compile = function (content, filename) {
    // Node 20 refuses import() to code that was kept.
    if (content.length < WORTH_KEEPING || /\bimport\s*\(/.test(content))
      return compile.call(this, content, filename);
    const file = keptFile(content);
    const cachedData = readIfThere(file);
    const script = new vm.Script(wrap(content.replace(/^#!/, "//")), {
      filename,
      ...(cachedData && { cachedData }),
    });
    // At the end it holds the functions that were needed, too.
    if (!cachedData || script.cachedDataRejected)
      process.once("exit", () => keep(file, script.createCachedData()));
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

/** Where nothing can be written, the next start compiles again. */
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
