/** A metric family as the text declares it, with its samples. */
export interface Family {
  readonly name: string;
  readonly type: string;
  readonly unit: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const DESCRIPTOR = new RegExp(`^# (TYPE|UNIT|HELP) (${NAME}) (.+)$`);
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(.*)\\})? (\\S+)$`);
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(,|$)/;
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;
const ESCAPES: Readonly<Record<string, string>> = {
  "\\\\": "\\",
  '\\"': '"',
  "\\n": "\n",
};

/**
 * Parses OpenMetrics text 1.0 (gauges) as strictly as its specification. Each family is declared once, with its type, unit
 * and help before its samples, which must be consecutive. A unit is the last part of its family's name. No two samples have
 * the same labels, and reserved labels aren't used. `# EOF` is the last line. promtool isn't enough, because it reads
 * Prometheus's older format and ignores most of this.
 * @throws {Error} that contains the wrong line
 */
export function readOpenMetrics(text: string): readonly Family[] {
  const lines = text.split("\n");
  if (lines.pop() !== "" || lines.pop() !== "# EOF")
    throw new Error("it must end with # EOF and a newline");
  const families = new Map<string, Family & { readonly samples: Sample[] }>();
  let declared: Record<string, string> = {};
  let current: (Family & { readonly samples: Sample[] }) | undefined;
  const seen = new Set<string>();
  lines.forEach((line, index) => {
    const wrong = (why: string) =>
      new Error(`line ${index + 1}: ${why}: ${line}`);
    const [, keyword, family, words] = DESCRIPTOR.exec(line) ?? [];
    if (keyword !== undefined && family !== undefined && words !== undefined) {
      if (families.has(family))
        throw wrong("declared after its samples, or twice");
      if ((declared["name"] ?? family) !== family)
        throw wrong("the family before it has no samples");
      if (keyword in declared) throw wrong("said twice");
      if (keyword === "TYPE" && words !== "gauge") throw wrong("no gauge");
      if (keyword === "UNIT" && !family.endsWith(`_${words}`))
        throw wrong("its unit does not end its name");
      if (keyword === "HELP" && /\\(?![\\n"])/.test(words))
        throw wrong("no escape");
      declared = { ...declared, name: family, [keyword]: words };
      return;
    }
    const [, name, inner = "", value = ""] = SAMPLE.exec(line) ?? [];
    if (name === undefined) throw wrong("neither a declaration nor a sample");
    if (declared["name"] === name) {
      const { TYPE: type, UNIT: unit = "", HELP: help } = declared;
      if (type === undefined || help === undefined)
        throw wrong("its type or help is missing");
      current = { name, type, unit, help, samples: [] };
      families.set(name, current);
      declared = {};
    }
    if (current?.name !== name || "name" in declared)
      throw wrong("it is apart from its family");
    if (!NUMBER.test(value)) throw wrong("no number");
    const labels: Record<string, string> = {};
    for (let rest = inner; rest !== "";) {
      const [whole = "", label = "", quoted = "", comma] =
        LABEL.exec(rest) ?? [];
      if (whole === "" || (comma === "," && whole === rest))
        throw wrong("no label");
      if (label in labels || label.startsWith("__") || label === "le")
        throw wrong(`the label ${label} is twice, or reserved`);
      labels[label] = quoted.replace(
        /\\./g,
        (escape) => ESCAPES[escape] ?? escape,
      );
      rest = rest.slice(whole.length);
    }
    const id = `${name} ${JSON.stringify(Object.entries(labels).sort())}`;
    if (seen.has(id)) throw wrong("a sample twice");
    seen.add(id);
    current.samples.push({ labels, value: Number(value) });
  });
  if ("name" in declared) throw new Error("the last family has no samples");
  return [...families.values()];
}
