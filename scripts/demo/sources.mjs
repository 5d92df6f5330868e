// The code of the example shop. It needs nothing from a registry but its own libraries, and its tests run on Node alone.

/** A package.json; `fields` come after its version. */
export const manifest = (name, version, dependencies = {}, fields = {}) =>
  `${JSON.stringify(
    {
      name,
      version,
      ...fields,
      type: "module",
      exports: "./index.js",
      scripts: { test: "node index.test.js" },
      ...(Object.keys(dependencies).length > 0 && { dependencies }),
    },
    null,
    2,
  )}\n`;

/** A plain program, so that what it says when it fails is short. Both are expressions. */
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

/** The price of a cart is rounded to whole cents. */
export const roundsHalfUp = `${cents}
export const print = (amount) => \`\${(cents(amount) / 100).toFixed(2)} EUR\`;
`;

/** Somebody thinks that this is the same, only quicker. */
export const cutsOff = roundsHalfUp.replace(
  "Math.round(amount * 100)",
  "Math.trunc(amount * 100)",
);
