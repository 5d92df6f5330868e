// The application's workspace before the migration: two apps and two packages, which install the libraries from a
// registry.
import { manifest, testOf } from "./sources.mjs";

/** The manifest of the migration: three libraries and their destinations. */
const migrations = `{
  "version": 1,
  "repositories": [
    { "source": "../libraries/money", "to": "packages/money" },
    { "source": "../libraries/catalog", "to": "packages/catalog" },
    { "source": "../libraries/flags", "to": "packages/flags" }
  ]
}
`;

/**
 * Returns every file of the workspace by its path.
 * @param skein the folder of this checkout of Skein
 * @param registry the address of the registry with the libraries
 */
export function applicationFiles({ skein, registry }) {
  return {
    ...rootFiles({ skein, registry }),
    ...cartFiles(),
    ...emailsFiles(),
    ...webFiles(),
    ...adminFiles(),
  };
}

function rootFiles({ skein, registry }) {
  return {
    ".gitignore": "node_modules\n.yarn\n",
    ".yarnrc.yml": `nodeLinker: node-modules
enableTelemetry: false
# The demo's own registry: it publishes the libraries' tags.
npmScopes:
  shop:
    npmRegistryServer: ${JSON.stringify(registry)}
unsafeHttpWhitelist:
  - 127.0.0.1
plugins:
  - ${JSON.stringify(`${skein}packages/yarn-plugin/plugin.cjs`)}
`,
    "package.json": `${JSON.stringify(
      {
        name: "shop",
        private: true,
        workspaces: ["packages/*", "apps/*"],
        // Users run: yarn add --dev @skein/affected @skein/migrate-repo @skein/ci-dispatch
        devDependencies: Object.fromEntries(
          ["affected", "migrate-repo", "ci-dispatch"].map((tool) => [
            `@skein/${tool}`,
            `link:${skein}tools/${tool}`,
          ]),
        ),
      },
      null,
      2,
    )}\n`,
    // This suite runs for every change, unless it passed on the same inputs: a customer buys something.
    "skein.json": `${JSON.stringify(
      {
        dispatch: {
          application: {
            checkout: {
              ...{ script: "checkout", workspace: "@shop/web" },
              reuse: true,
            },
          },
        },
      },
      null,
      2,
    )}\n`,
    "suite/checkout.js": `import assert from "node:assert/strict";
import { checkout } from "../apps/web/index.js";

assert.equal(checkout(["cup"]), "You pay 1200 cents");
`,
    "migrations.json": migrations,
    "README.md": "# Shop\n\nWhat we sell, and how.\n",
  };
}

function cartFiles() {
  return {
    "packages/cart/package.json": own("@shop/cart", {
      "@shop/catalog": "^1.2.0",
      "@shop/money": "^1.0.0",
    }),
    "packages/cart/index.js": `import { catalog } from "@shop/catalog";
import { cents } from "@shop/money";

export const total = (names) =>
  names.reduce((sum, name) => sum + cents(catalog[name]), 0);
`,
    "packages/cart/index.test.js": testOf(
      "total",
      'total(["cup", "tea"])',
      "1635",
    ),
  };
}

function emailsFiles() {
  return {
    "packages/emails/package.json": own("@shop/emails", {
      "@shop/flags": "^1.0.0",
    }),
    "packages/emails/index.js": `import { flags } from "@shop/flags";

export const greeting = (name) =>
  \`Dear \${name},\${flags.giftWrap ? " wrapped for you:" : ""}\`;
`,
    "packages/emails/index.test.js": testOf(
      "greeting",
      'greeting("Ada")',
      '"Dear Ada,"',
    ),
  };
}

function webFiles() {
  return {
    "apps/web/package.json": manifest(
      ...["@shop/web", "1.0.0", { "@shop/cart": "workspace:^" }],
      { private: true },
      { checkout: "node ../../suite/checkout.js" },
    ),
    "apps/web/index.js": `import { total } from "@shop/cart";

export const checkout = (names) => \`You pay \${total(names)} cents\`;
`,
    "apps/web/index.test.js": testOf(
      "checkout",
      'checkout(["cup"])',
      '"You pay 1200 cents"',
    ),
  };
}

function adminFiles() {
  return {
    // It imports @shop/flags without declaring it. That works, because node_modules holds the dependencies of
    // @shop/emails.
    "apps/admin/package.json": own("@shop/admin", {
      "@shop/catalog": "^1.2.0",
    }),
    "apps/admin/index.js": `import { catalog } from "@shop/catalog";
import { flags } from "@shop/flags";

export const rows = () => [...Object.keys(catalog), ...Object.keys(flags)];
`,
    "apps/admin/index.test.js": testOf(
      "rows",
      'rows().includes("giftWrap")',
      "true",
    ),
  };
}

/** Returns the manifest of a private workspace. */
function own(name, dependencies) {
  return manifest(name, "1.0.0", dependencies, { private: true });
}
