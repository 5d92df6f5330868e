import { expect, test } from "@jest/globals";
import { takesEffectUnread } from "./unread.js";

test("settings, manifests, declarations, mocks and files of builds may take effect although nothing reads them", () => {
  const files = `
    package.json .babelrc src/.env jest.config.mjs jest.setup.ts webpack.config.prod.js tsconfig.json tsconfig.lib.json
    project.json gulpfile.js GNUmakefile Dockerfile BUILD CMakeLists.txt Directory.Build.props lib.csproj Cargo.toml go.mod
    build.gradle.kts x.podspec src/globals.d.ts src/x.module.d.css.ts __mocks__/fs.js .stylelintrc.json prettierrc.yaml`;
  const others = `
    src/x.ts src/deep/index.js src/data.json css/x.css src/x.test.ts readme.md assets/x.png src/main.cpp
    src/source.ts src/packages.json bin/cli data/folder`;
  const unread = (text: string) =>
    text.trim().split(/\s+/).filter(takesEffectUnread);
  expect(unread(files)).toEqual(files.trim().split(/\s+/));
  expect(unread(others)).toEqual([]);
});
