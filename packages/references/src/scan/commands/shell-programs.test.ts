import { expect, test } from "@jest/globals";
import { commandsIn } from "./shell-programs.js";

test.each<[text: string, commands: readonly string[]]>([
  ["tsup ./src/*.ts --clean", ["tsup ./src/*.ts --clean"]],
  ["# it's\necho 'a # b' # c\n", ["echo 'a # b'"]],
  [
    "echo -e 'a;b' > ./x.mts && cat y 2>&1 | wc -l",
    ["echo -e 'a;b'", "cat y", "wc -l"],
  ],
  [
    'for f in ./b/*; do\n  c=$(cat $f)\n  echo "$c" >> $f\ndone',
    ["cat '$'", "echo '$'"],
  ],
  ["if ! jest --ci; then exit 1; fi", ["jest --ci"]],
  [
    'x="$(git tag --list "$1@*" | tail -n 1)"',
    ["git tag --list '$'", "tail -n 1"],
  ],
  ["A=1 B=$(date) eslint .", ["date", "A=1 'B=$' eslint ."]],
  [
    'if [[ "${CI:-}" =~ ^a(b|c)$ && -n $X ]]; then yarn b "$@"; fi',
    ["yarn b '$'"],
  ],
  [
    "red() {\n  printf x\n}\nfunction blue {\n  jest\n}\nred a; blue",
    ["printf x", "jest"],
  ],
  [
    'case "$1" in\n  --a | -b) jest ;;\n  *)\n    eslint .\n    ;;\nesac\ntsc',
    ["jest", "eslint .", "tsc"],
  ],
  ["cat <<EOT\nrun `x\nEOT\n".replace("`", "'"), ["cat"]],
  ["cat <<'A' | tee x\nb\nA\njest", ["cat", "tee x", "jest"]],
  ['"${ROOT}/node_modules/.bin/jest" --x', ["node_modules/.bin/jest --x"]],
  ['a=("$@" x)\na+=(y)\n(cd x; jest)', ["cd x", "jest"]],
  ['bash -c "jest --ci"', ["bash -c 'jest --ci'"]],
  ["tsc \\\n  -b", ["tsc -b"]],
  ["# a \\\njest", ["jest"]],
  ["time -p jest", ["time -p jest"]],
  ["X='a b'; export Y=1", []],
  ["local a=1; shift; set -euo pipefail; read -r x; return 0", []],
])("%j runs %j", (text, commands) => {
  expect(commandsIn(text)).toEqual(commands);
});

test.each([
  'eval "$X"',
  "$X --ci",
  '"$@"',
  "`jest`",
  'echo "`jest`"',
  "exec_it=$1; $exec_it",
  "trap 'jest' EXIT",
  "source ./x.sh",
  ". ./x.sh",
  "find . -name x -exec jest {} +",
  "ls | xargs jest",
  "cat <<EOT\n$(jest)\nEOT",
  "[[ $(jest) = 1 ]]",
  "echo ${X:-$(jest)}",
  "echo $((1 + $(jest)))",
  "diff <(jest) x",
  "case $(jest) in a$(jest)) b ;; esac",
  "echo 'a",
  'echo "a',
  "echo $(jest",
  "jest)",
  "echo \"it's $X and 'x\"; jest 'it'\"'\"'s'",
  "(( x = $(jest) ))",
  "alias a=jest",
  "if -p jest; then a; fi",
  "NODE_OPTIONS=$X; node a.mjs",
  "export PATH=x:$PATH",
  "A='jest --ci' b",
  "coproc jest",
  "for ((i = 0; i < 1; i++)); do jest; done",
])("%j runs something unknown", (text) => {
  expect(commandsIn(text)).toBeUndefined();
});
