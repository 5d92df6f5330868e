import { expect, test } from "@jest/globals";
import { toolCalled } from "./find-tool.js";
import { programsIn, staysInFolder } from "./programs.js";

test.each<
  [
    text: string,
    tools: readonly string[],
    unknown: string | undefined,
    calls: readonly string[],
  ]
>([
  ["jest", ["jest"], undefined, []],
  ["jest --ci && eslint .", ["jest", "eslint"], undefined, []],
  ["NODE_ENV=test cross-env A=1 jest", ["jest"], undefined, []],
  ["dotenv -e .env -- jest src", ["jest"], undefined, []],
  ["../../node_modules/.bin/jest", ["jest"], undefined, []],
  ["nyc mocha", ["nyc", "mocha"], undefined, []],
  ["nyc --reporter lcov -x a mocha test", ["nyc", "mocha"], undefined, []],
  ["c8 -r lcov -- jest", ["c8", "jest"], undefined, []],
  ["c8 node --test", ["c8"], "node", []],
  ["c8 yarn unit", ["c8"], undefined, ["unit"]],
  ["nyc frobnicate", ["nyc"], "frobnicate", []],
  ["nyc report --reporter=html", ["nyc"], undefined, []],
  ["sudo -E jest", ["jest"], undefined, []],
  [". ./env.sh && jest", ["jest"], "./env.sh", ["./env.sh"]],
  ["docker compose run app jest", ["docker"], "docker", []],
  ["docker run -d db && jest", ["docker", "jest"], undefined, []],
  ["babel-node x.js", ["babel-node"], "babel-node", []],
  ['tsup --onSuccess "frobnicate x"', ["tsup"], "frobnicate", []],
  ["rimraf dist && tsc -b", ["tsc"], undefined, []],
  ["echo none; exit 0", [], undefined, []],
  ["for x in a b; do jest $x; done", ["jest"], undefined, []],
  ["until { frobnicate; }; do sleep 1; done", [], "frobnicate", []],
  ["node -e 0", [], "node", []],
  ["node scripts/build.js", [], "node", []],
  [
    "node --inspect-brk ../../node_modules/.bin/jest -i",
    ["jest"],
    undefined,
    [],
  ],
  ["node $(yarn bin jest) --ci", ["jest"], undefined, []],
  ["node node_modules/typescript/bin/tsc -b", ["tsc"], undefined, []],
  ["node node_modules/.bin/frobnicate", [], "node", []],
  ["node -r ./x node_modules/.bin/jest", [], "node", []],
  ["node --import=tsx node_modules/.bin/jest", [], "node", []],
  [
    "node ./fixtures/node_modules/a/node_modules/jest/x.js",
    ["jest"],
    undefined,
    [],
  ],
  ["npx node x.js", [], "node", []],
  ["node -p \"require('./package.json').version\"", [], undefined, []],
  [
    "node -e \"const fs=require('fs');const v=require('./package.json').version;fs.writeFileSync('a.ts','v'+v)\"",
    [],
    undefined,
    [],
  ],
  [
    "node -e \"require('fs').mkdirSync('a', { mode: 0o755 })\"",
    [],
    undefined,
    [],
  ],
  ["node -e \"require('./a.js').main()\"", [], "node", []],
  ["node -e \"require('child_process').execSync('a')\"", [], "node", []],
  ["node -e \"import('a')\"", [], "node", []],
  ['node -e "require(process.argv[1])" a', [], "node", []],
  ["node -e \"const r=require;r('a')\"", [], "node", []],
  ["node -e \"require('fs').readdirSync('..')\"", [], "node", []],
  ["node -e \"require('fs').readFileSync(process.env.A)\"", [], "node", []],
  ["node -e \"this['con'+'structor']('a')\"", [], "node", []],
  ['node -e "$CODE"', [], "node", []],
  ['node -r ./a.js -e "0"', [], "node", []],
  ['node -e "0" ./a.js', [], "node", []],
  ['NODE_OPTIONS=-r=./a.js node -e "0"', [], "node", []],
  ['nyc node -e "0"', ["nyc"], "node", []],
  ["./a/b/gradlew -p a check", ["gradlew"], undefined, []],
  ["cd android && ../../gradlew.bat x", ["gradlew"], undefined, []],
  ["yarn build && mocha test", ["mocha"], undefined, ["build"]],
  [
    "jlpm build && jlpm run -T mocha test",
    ["mocha"],
    undefined,
    ["build", "-T mocha"],
  ],
  ["yarn run -T eslint src", ["eslint"], undefined, ["-T eslint"]],
  ["yarn run --top-level run-s 'a:*'", [], undefined, ["-T run-s", "a:*"]],
  ["yarn --cwd ../.. lint", [], undefined, ["-T lint"]],
  ["npm --prefix=../.. run lint", [], undefined, ["-T lint"]],
  ["cd lib/x && npm run a && cd .. && npm run b", [], undefined, ["a", "-T b"]],
  ["cd lib/../.. && yarn a", [], undefined, ["-T a"]],
  ["cd ../.. && yarn a && run-p b", [], undefined, ["-T a", "-T b"]],
  ["run g:test", [], undefined, ["g:test"]],
  ["yarn install", [], undefined, []],
  ["npx --yes prettier --check .", ["prettier"], undefined, []],
  ['concurrently "jest --watch" "tsc -w"', ["jest", "tsc"], undefined, []],
  ["run-s build:* lint", [], undefined, ["build:*", "lint"]],
  ["npm-run-all -p 'npm:a' b", [], undefined, ["a", "b"]],
  ["run-s build:\\* lint", [], undefined, ["build:*", "lint"]],
  ["cd $INIT_CWD && run-s", [], "run-s", []],
  ['sh -c "vitest run"', ["vitest"], undefined, []],
  ["bash ./build.sh", [], "./build.sh", []],
  ["bash -e ./build.sh", [], "./build.sh", ["./build.sh"]],
  ["cd ../.. && jest packages/a", ["jest"], undefined, []],
  ["test -f x || (cat y | grep z)", [], undefined, []],
  ["echo $(git rev-parse HEAD)", [], undefined, []],
  ["echo $(frobnicate)", [], "frobnicate", []],
  ["make -C ../.. all", [], "make", []],
  ["", [], undefined, []],
  [
    "TS_POST_PROCESS_FILE='prettier --write' openapi-generator-cli generate",
    ["prettier", "openapi-generator-cli"],
    undefined,
    [],
  ],
  ["MODE='2020' B=\"a>1,b\" jest", ["jest"], undefined, []],
  ["A= 'frobnicate' x", [], "frobnicate", []],
  ["A='frobnicate x' jest", ["jest"], "frobnicate", []],
  [
    'cross-env NODE_OPTIONS="$NODE_OPTIONS --no-warnings" jest',
    ["jest"],
    undefined,
    [],
  ],
  ["pnpify tsd -t x.d.ts", ["tsd"], undefined, []],
  ["pnpify run frobnicate", [], undefined, ["frobnicate"]],
  ["# frobnicate x", [], undefined, []],
  ["npm-watch", [], undefined, ["*"]],
  ["npm-watch codegen", [], undefined, ["codegen"]],
  ["yarn run-s 'a:*' b", [], undefined, ["run-s", "a:*", "b"]],
  ["yarn nodemon", [], "nodemon", ["nodemon"]],
  ["replace a b x.ts && chan release 1", [], undefined, []],
  ["yarn workspace @m/b test", [], undefined, []],
  ["yarn workspace $P test", [], "workspace", ["workspace"]],
  ["yarn workspaces foreach -A run test", [], "workspaces", ["workspaces"]],
])("%s runs", (text, tools, unknown, calls) => {
  const found = programsIn(text);
  expect({
    tools: [...found.tools.keys()],
    unknown: found.unknown,
    calls: found.calls,
  }).toEqual({ tools, unknown, calls });
});

test.each<[text: string, workspace: string, script: string]>([
  ["yarn workspace @m/b test --x", "@m/b", "test"],
  ["cd ../.. && yarn workspace b run build:all", "b", "build:all"],
])("%s calls a script of another package", (text, workspace, script) => {
  expect(programsIn(text).callsElsewhere).toEqual([{ workspace, script }]);
});

test.each<[text: string, programs: readonly string[]]>([
  ["rimraf dist && tsc -b", ["rimraf", "tsc"]],
  ["frobnicate && other --x", ["frobnicate", "other"]],
  ["A=1 cross-env B=2 jest", ["cross-env", "jest"]],
  ["yarn run -T cpx a b", ["cpx"]],
  ['concurrently "one a" "two b"', ["concurrently", "one", "two"]],
  ["npm-run-all a b", ["npm-run-all"]],
  ["", []],
])("%j runs %j", (text, programs) => {
  expect([...programsIn(text).programs]).toEqual(programs);
});

test.each<
  [text: string, files: readonly string[], besides: string | undefined]
>([
  [
    "node scripts/build.mjs --watch --level=2",
    ["scripts/build.mjs"],
    undefined,
  ],
  ["A=1 node ../x.cjs && node ./y.ts", ["../x.cjs", "./y.ts"], undefined],
  ["tsc -b && node x.js; frobnicate", ["x.js"], "frobnicate"],
  ["node x", [], "node"],
  ["node x.js ../y", [], "node"],
  ["node x.js > y", [], "node"],
  ["node $DIR/x.js", [], "node"],
  ["node --import tsx x.js", [], "node"],
  ["node node_modules/frobnicate/x.js", [], "node"],
  ["cross-env A=1 node x.js", [], "node"],
  ["yarn node x.js", [], undefined],
  ["NODE_OPTIONS=-r=tsx node x.js", ["x.js"], "node"],
  ["cd src && node x.js", ["x.js"], "node"],
])(
  "%s: Node runs %j, and another unknown program is %s",
  (text, files, besides) => {
    const found = programsIn(text);
    expect(found.files).toEqual(files);
    expect(found.unknownBesides).toBe(besides);
  },
);

test.each([
  ["jest --ci", true],
  ["../../node_modules/.bin/jest --config jest.ci.js", true],
  ["cross-env A=1 jest src/x", true],
  ["run -T jest", true],
  ["jest -c ../../jest.config.js", false],
  ["cd ../.. && jest", false],
  ["jest --rootDir=../..", false],
  ["jest --rootDir $PROJECT_CWD", false],
  ["jest --rootDir=/srv", false],
  ["yarn --cwd x jest", false],
  ["npm -w exec jest", false],
])("%s stays in its folder: %s", (text, stays) => {
  expect(staysInFolder(programsIn(text).words)).toBe(stays);
});

test.each(["prettier", "stylelint", "oxlint", "jscpd"])(
  "%s has a row of its own, and is a checker",
  (program) => {
    expect(toolCalled(program)).toMatchObject({
      programs: expect.arrayContaining([program]),
      purpose: "check",
    });
  },
);
