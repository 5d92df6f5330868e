import { json, type Files } from "@skein/testing";

/**
 * A stand-in for one of GitHub's actions, as a Bash script for act. It does what the workflows need, and is as strict
 * as the original.
 */
interface Shim {
  readonly inputs: readonly string[];
  readonly outputs?: readonly string[];
  readonly script: string;
}

const SHIMS: Readonly<Record<string, Shim>> = {
  // Without `ref`, act itself puts the workspace there.
  "actions/checkout": {
    inputs: [
      ...["ref", "fetch-depth", "filter"],
      ...["sparse-checkout", "sparse-checkout-cone-mode"],
      ...["lfs", "submodules"],
    ],
    script: `
if [ -z "$FILTER" ]; then
  [ "$LFS" = true ] || export GIT_LFS_SKIP_SMUDGE=1
  git clone --quiet --branch "\${REF:-$E2E_REF}" "file://$E2E_ORIGIN" .
  [ "$SUBMODULES" != true ] || git -c protocol.file.allow=always submodule --quiet update --init
  exit
fi
git init --quiet && git remote add origin "file://$E2E_ORIGIN"
git sparse-checkout set --no-cone "$SPARSE_CHECKOUT"
git fetch --quiet --no-tags "--depth=$FETCH_DEPTH" "--filter=$FILTER" origin "$REF"
git checkout --quiet --detach FETCH_HEAD`,
  },
  // The stand-ins store only the keys of caches, by the ref that saved them. GitHub gives a run the caches of its own
  // ref and of the default branch.
  "actions/cache/restore": {
    inputs: ["path", "key", "restore-keys"],
    outputs: ["cache-primary-key", "cache-hit"],
    script: `
[ -n "$ARTIFACT_PATH" ] && [ -n "$KEY" ]
hit=false
[ -e "$E2E_ARTIFACTS.caches/refs/heads/main/$KEY" ] && hit=true
printf '%s\\n' "cache-primary-key=$KEY" "cache-hit=$hit" >> "$GITHUB_OUTPUT"`,
  },
  "actions/cache/save": {
    inputs: ["path", "key"],
    script: `
[ -n "$ARTIFACT_PATH" ] && [ -n "$KEY" ]
mkdir -p "$E2E_ARTIFACTS.caches/$GITHUB_REF/$KEY"`,
  },
  "actions/setup-node": { inputs: ["node-version"], script: "node --version" },
  "actions/upload-artifact": {
    inputs: ["name", "path", "if-no-files-found", "overwrite"],
    script: `
[[ "$NAME" =~ ^[A-Za-z0-9._-]+$ ]] || { echo "no name of an artifact: $NAME"; exit 1; }
to="$E2E_ARTIFACTS/$NAME"
if [ ! -e "$ARTIFACT_PATH" ]; then
  [ "$IF_NO_FILES_FOUND" != error ] || { echo "nothing at $ARTIFACT_PATH"; exit 1; }
  exit 0
fi
[ "$OVERWRITE" != true ] || rm -rf "$to"
mkdir "$to" || { echo "the artifact $NAME is there already"; exit 1; }
if [ -d "$ARTIFACT_PATH" ]; then cp -R "$ARTIFACT_PATH/." "$to"; else cp "$ARTIFACT_PATH" "$to"; fi`,
  },
  "actions/upload-pages-artifact": {
    inputs: ["path"],
    script: `
[ -f "$ARTIFACT_PATH/index.html" ] || { echo "no page at $ARTIFACT_PATH"; exit 1; }
mkdir "$E2E_ARTIFACTS/github-pages" && cp -R "$ARTIFACT_PATH/." "$E2E_ARTIFACTS/github-pages"`,
  },
  "actions/deploy-pages": {
    inputs: [],
    script: `
[ -d "$E2E_ARTIFACTS/github-pages" ] || { echo "no artifact github-pages"; exit 1; }
cp -R "$E2E_ARTIFACTS/github-pages" "$E2E_ARTIFACTS/published"`,
  },
  "actions/download-artifact": {
    inputs: ["name", "pattern", "path"],
    script: `
shopt -s extglob nullglob
mkdir -p "$ARTIFACT_PATH"
if [ -n "$NAME" ]; then cp -R "$E2E_ARTIFACTS/$NAME/." "$ARTIFACT_PATH"; exit; fi
cd "$E2E_ARTIFACTS"
artifacts=($PATTERN)
# As version 8 does: a single artifact is unpacked without its folder.
if [ \${#artifacts[@]} = 1 ]; then cp -R "$artifacts/." "$ARTIFACT_PATH"; exit; fi
for artifact in "\${artifacts[@]}"; do cp -R "$artifact" "$ARTIFACT_PATH"; done`,
  },
};

/** The files of the stand-ins, each in a folder with its action's name. */
export const shimFiles: Files = Object.fromEntries(
  Object.entries(SHIMS).map(([name, shim]) => [
    `${name}/action.yml`,
    actionFile(name, shim),
  ]),
);

/**
 * Returns act's options that replace the repository of each action in the workflows, at exactly its commit, by the
 * stand-in's folder.
 */
export function shimOptions(workflows: string, folder: string): string[] {
  const used = workflows.matchAll(
    /uses: ((actions\/[\w-]+)(?:\/[\w-]+)?(@[0-9a-f]{40}))/g,
  );
  return [
    ...new Set(
      [...used].map(
        ([, , name = "", at = ""]) =>
          `--local-repository=${name}${at}=${folder}/${name}`,
      ),
    ),
  ];
}

function actionFile(
  name: string,
  { inputs, outputs = [], script }: Shim,
): string {
  // JSON is YAML. The variable PATH has a meaning, so the input `path` gets another name.
  const variable = (input: string) =>
    input === "path"
      ? "ARTIFACT_PATH"
      : input.toUpperCase().replaceAll("-", "_");
  return json({
    name,
    description: "A stand-in for tests",
    inputs: Object.fromEntries(
      inputs.map((input) => [input, { description: input, default: "" }]),
    ),
    outputs: Object.fromEntries(
      outputs.map((output) => [
        output,
        { description: output, value: `\${{ steps.only.outputs.${output} }}` },
      ]),
    ),
    runs: {
      using: "composite",
      steps: [
        {
          id: "only",
          shell: "bash",
          env: Object.fromEntries(
            inputs.map((input) => [variable(input), `\${{ inputs.${input} }}`]),
          ),
          run: script.trim(),
        },
      ],
    },
  });
}
