// A rule of our own for oxlint (.oxlintrc.json): oxlint has no `no-restricted-syntax`.
const ENGINES = "/^(GITHUB|GH|GITLAB|CI|BUILDKITE)(_|$)/";

const noCiVariables = {
  create(context) {
    const report = (node) => {
      context.report({
        node,
        message:
          "Only packages/ci reads a CI engine's variables: ask `ciOf(env)` or `githubAccessOf(env)`.",
      });
    };
    return {
      [`MemberExpression > Literal[value=${ENGINES}]`]: report,
      [`ObjectPattern > Property[key.name=${ENGINES}]`]: report,
    };
  },
};

export default {
  meta: { name: "skein" },
  rules: { "no-ci-variables": noCiVariables },
};
