// The example workspace of the demo: a small shop. It needs nothing from a registry, and its tests run on Node alone.

const manifest = (name, dependencies = []) =>
  `${JSON.stringify(
    {
      name,
      version: "1.0.0",
      private: true,
      type: "module",
      exports: "./index.js",
      scripts: { test: "node index.test.js" },
      ...(dependencies.length > 0 && {
        dependencies: Object.fromEntries(
          dependencies.map((on) => [on, "workspace:^"]),
        ),
      }),
    },
    null,
    2,
  )}\n`;

/** A plain program, so that what it says when it fails is short. */
const testOf = (imports, assertion) =>
  `import assert from "node:assert/strict";
import { ${imports} } from "./index.js";

${assertion}
`;

/** The price of a cart is rounded to whole cents. */
export const roundsHalfUp = `/** An amount in whole cents. */
export const cents = (amount) => Math.round(amount * 100);

export const print = (amount) => \`\${(cents(amount) / 100).toFixed(2)} EUR\`;
`;

/** Somebody thinks that this is the same, only quicker. */
export const cutsOff = roundsHalfUp.replace(
  "Math.round(amount * 100)",
  "Math.trunc(amount * 100)",
);

/**
 * Every file of the workspace by its path.
 * @param plugin where Skein's Yarn plugin is
 * @param affected folder of the tool
 */
export function workspaceFiles({ plugin, affected }) {
  return {
    ".gitignore": "node_modules\n.yarn\n",
    ".yarnrc.yml": `nodeLinker: node-modules
enableTelemetry: false
plugins:
  - ${JSON.stringify(plugin)}
`,
    "package.json": `${JSON.stringify(
      {
        name: "shop",
        private: true,
        workspaces: ["packages/*", "apps/*"],
        // Elsewhere: yarn add --dev @skein/affected
        devDependencies: { "@skein/affected": `link:${affected}` },
      },
      null,
      2,
    )}\n`,
    "README.md": "# Shop\n\nWhat we sell, and how.\n",

    "packages/money/package.json": manifest("@shop/money"),
    "packages/money/index.js": roundsHalfUp,
    "packages/money/index.test.js": testOf(
      "print",
      'assert.equal(print(2.5), "2.50 EUR");',
    ),

    "packages/catalog/package.json": manifest("@shop/catalog"),
    "packages/catalog/index.js": `export const catalog = { tea: 4.35, cup: 12 };\n`,
    "packages/catalog/index.test.js": testOf(
      "catalog",
      'assert.ok("tea" in catalog);',
    ),

    "packages/cart/package.json": manifest("@shop/cart", [
      "@shop/catalog",
      "@shop/money",
    ]),
    "packages/cart/index.js": `import { catalog } from "@shop/catalog";
import { cents } from "@shop/money";

export const total = (names) =>
  names.reduce((sum, name) => sum + cents(catalog[name]), 0);
`,
    "packages/cart/index.test.js": testOf(
      "total",
      'assert.equal(total(["cup", "tea"]), 1635);',
    ),

    "packages/emails/package.json": manifest("@shop/emails"),
    "packages/emails/index.js": `export const greeting = (name) => \`Dear \${name},\`;\n`,
    "packages/emails/index.test.js": testOf(
      "greeting",
      'assert.equal(greeting("Ada"), "Dear Ada,");',
    ),

    "packages/flags/package.json": manifest("@shop/flags"),
    "packages/flags/index.js": `export const flags = { giftWrap: false };\n`,
    "packages/flags/index.test.js": testOf(
      "flags",
      "assert.equal(flags.giftWrap, false);",
    ),

    "apps/web/package.json": manifest("@shop/web", ["@shop/cart"]),
    "apps/web/index.js": `import { total } from "@shop/cart";

export const checkout = (names) => \`You pay \${total(names)} cents\`;
`,
    "apps/web/index.test.js": testOf(
      "checkout",
      'assert.equal(checkout(["cup"]), "You pay 1200 cents");',
    ),

    // It imports @shop/flags and does not declare it. It works, because node_modules holds every workspace.
    "apps/admin/package.json": manifest("@shop/admin", ["@shop/catalog"]),
    "apps/admin/index.js": `import { catalog } from "@shop/catalog";
import { flags } from "@shop/flags";

export const rows = () => [...Object.keys(catalog), ...Object.keys(flags)];
`,
    "apps/admin/index.test.js": testOf(
      "rows",
      'assert.deepEqual(rows(), ["tea", "cup", "giftWrap"]);',
    ),
  };
}
