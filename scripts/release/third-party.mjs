// The third-party code that `yarn pack` joins into a tool: its licences, and the bill of materials (CycloneDX 1.6).
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Licences (SPDX) under which we may ship a copy with its notice. A person must decide about any other licence. */
const ALLOWED = [
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
];

/**
 * Returns the packages in a bundle that aren't from this repository, sorted by name.
 * @param results of esbuild, with their metafiles
 * @throws if a package has no licence text, or a licence that isn't allowed
 */
export async function thirdParties(results) {
  const homes = new Set(
    results
      .flatMap(({ metafile }) => Object.keys(metafile.inputs))
      .map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0])
      .filter(Boolean),
  );
  return Promise.all([...homes].sort().map(thirdParty));
}

async function thirdParty(home) {
  const manifest = JSON.parse(
    await readFile(join(home, "package.json"), "utf8"),
  );
  const { name, version, license } = manifest;
  if (!ALLOWED.includes(license))
    throw new Error(`${name} has the licence ${license}, which isn't allowed`);
  return { name, version, license, text: await licenceText(name, home) };
}

/** Returns the licence and the notices of a package. Some packages have the licence in their README, and Yarn's have none. */
async function licenceText(name, home) {
  const files = await readdir(home);
  const read = (file) => readFile(join(home, file), "utf8");
  if (files.some((each) => /^licen[cs]e/i.test(each))) {
    const texts = files.filter((each) => /^(licen[cs]e|notice)/i.test(each));
    return (await Promise.all(texts.map(read))).join("\n");
  }
  if (name.startsWith("@yarnpkg/"))
    return readFile(new URL("licenses/yarnpkg.txt", import.meta.url), "utf8");
  const readme = files.includes("README.md") ? await read("README.md") : "";
  const section =
    /^## License\b.*\n([^]*?Permission is hereby granted[^]*?)(?=^#|$(?![^]))/m;
  const text = section.exec(readme)?.[1];
  if (text === undefined) throw new Error(`${name} has no licence text`);
  return text.replaceAll(/^> ?/gm, "");
}

/** Returns the text of LICENSES.txt. */
export function licenses(parties) {
  return parties.map(({ name, text }) => `${name}\n\n${text}`).join("\n\n");
}

/**
 * Returns the bill of materials of a bundle. It has no date and no serial number: the same bundle gives the same bytes.
 * The format: https://cyclonedx.org/docs/1.6/json/
 * @param manifest the package.json of the tool
 */
export function billOfMaterials(manifest, parties) {
  const component = ({ name, version, license }, type) => {
    const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
    return {
      type,
      "bom-ref": purl,
      name,
      version,
      licenses: [{ license: { id: license } }],
      purl,
    };
  };
  const main = component(manifest, "application");
  const components = parties.map((each) => component(each, "library"));
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: main },
    components,
    dependencies: [
      {
        ref: main["bom-ref"],
        dependsOn: components.map((each) => each["bom-ref"]),
      },
    ],
  };
}
