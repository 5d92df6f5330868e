// The code of the example shop. It needs only its own libraries from a registry, and its tests run on plain Node.

/** Returns a package.json, with `fields` after its version, and `scripts` after its test. */
export const manifest = (
  name,
  version,
  dependencies = {},
  fields = {},
  scripts = {},
) =>
  `${JSON.stringify(
    {
      name,
      version,
      ...fields,
      type: "module",
      exports: "./index.js",
      scripts: { test: "node index.test.js", ...scripts },
      ...(Object.keys(dependencies).length > 0 && { dependencies }),
    },
    null,
    2,
  )}\n`;

/**
 * Returns a test that is a plain program, so that the output of a failure is short. `actual` and `expected` are
 * expressions.
 */
export const testOf = (imports, actual, expected) =>
  `import { ${imports} } from "./index.js";

const actual = ${actual};
const expected = ${expected};
if (actual !== expected) {
  console.error(\`\${actual} !== \${expected}\`);
  process.exitCode = 1;
}
`;

export const cents = `/** An amount in whole cents. */
export const cents = (amount) => Math.round(amount * 100);
`;

/** Rounds the price of a cart to whole cents. */
export const roundsHalfUp = `${cents}
export const print = (amount) => \`\${(cents(amount) / 100).toFixed(2)} EUR\`;
`;

/** A change that its author considers equivalent and faster. */
export const cutsOff = roundsHalfUp.replace(
  "Math.round(amount * 100)",
  "Math.trunc(amount * 100)",
);
