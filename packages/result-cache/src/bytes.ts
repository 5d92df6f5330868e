const UNITS: Readonly<Record<string, number>> = {
  "": 1,
  b: 1,
  kib: 2 ** 10,
  kb: 1e3,
  mib: 2 ** 20,
  mb: 1e6,
  gib: 2 ** 30,
  gb: 1e9,
};

/** Parses a size such as `500MiB`, `2 GB` or `1048576`. Pure. @returns bytes; undefined if the text isn't a size */
export function parseBytes(text: string): number | undefined {
  const [, amount = "", unit = ""] =
    /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim()) ?? [];
  const factor = UNITS[unit.toLowerCase()];
  return amount === "" || factor === undefined
    ? undefined
    : Math.round(Number(amount) * factor);
}
