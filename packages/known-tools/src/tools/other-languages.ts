import type { Tool } from "../tool.js";

/** Programs of other languages, and programs that build native code or images. */
export const OTHER_LANGUAGES: readonly Tool[] = [
  {
    programs: ["cargo", "rustc", "wasm-pack", "napi", "neon", "maturin"],
    purpose: "build",
    looksUp: ["cargo"],
  },
  {
    programs: ["go", "gofmt", "golangci-lint"],
    purpose: "build",
    looksUp: ["go"],
  },
  {
    programs: [
      "python",
      "python3",
      "pip",
      "pip3",
      "uv",
      "poetry",
      "pytest",
      "tox",
      "hatch",
      "ruff",
      "mypy",
    ],
    purpose: "build",
    looksUp: ["python"],
  },
  {
    programs: ["bundle", "ruby", "rake", "pod", "fastlane"],
    purpose: "build",
    looksUp: ["ruby"],
    // `bundle exec jekyll build`
    reads: ["**/*.{md,markdown}"],
  },
  {
    programs: ["gradle", "gradlew", "./gradlew"],
    purpose: "build",
    looksUp: ["gradle"],
  },
  {
    programs: [
      "cmake",
      "node-gyp",
      "node-gyp-build",
      "prebuildify",
      "prebuild-install",
    ],
    purpose: "build",
    looksUp: ["cmake"],
  },
  {
    programs: ["docker", "docker-compose", "podman"],
    purpose: "build",
    looksUp: ["docker"],
  },
];
