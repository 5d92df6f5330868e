/** Modules of Node that neither run other programs nor load code. */
export const HARMLESS_MODULES: ReadonlySet<string> = new Set(
  `assert assert/strict buffer console constants crypto events fs fs/promises os path path/posix path/win32 perf_hooks
  process punycode querystring readline readline/promises stream stream/promises string_decoder timers timers/promises tty
  url util util/types zlib`.split(/\s+/),
);

const LOADS = /\brequire\s*\(\s*(?:'([^']*)'|"([^"]*)")\s*\)/g;
/** Words with which code loads or starts other code, lists or copies folders, or gets a name from outside. */
const MAY_DO_MORE =
  /[`$]|\]\s*\(|\b(?:require|import|eval|Function|constructor|module|exports|binding|dlopen|mainModule|getBuiltinModule|global|globalThis|Worker|WebAssembly|arguments|argv|env|cwd|chdir|stdin|_load|Module)\b|\b(?:readdir|opendir|glob|cp)(?:Sync)?\b/;

/**
 * Returns whether code in a script (`node -e "…"`) loads only modules of Node that run nothing, and data, and reads only files that it
 * names.
 */
export function isHarmlessCode(code: string): boolean {
  const rest = code.replaceAll(LOADS, (call, single, double) => {
    const name = String(single ?? double).replace(/^node:/, "");
    return HARMLESS_MODULES.has(name) || /^\.\.?\/.*\.json$/.test(name)
      ? ""
      : call;
  });
  return !MAY_DO_MORE.test(rest);
}
