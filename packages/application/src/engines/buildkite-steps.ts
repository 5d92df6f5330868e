const text = { type: "string", minLength: 1 };
const texts = { type: "array", items: text };

/**
 * A schema of the Buildkite steps that Skein writes, written by hand after Buildkite's documentation. A field that the
 * page doesn't mention is an error. No package of a registry has Buildkite's own schema.
 * @see https://buildkite.com/docs/pipelines/configure/step-types/command-step
 */
export const buildkiteSteps = {
  type: "object",
  required: ["steps"],
  additionalProperties: false,
  properties: {
    steps: {
      type: "array",
      minItems: 1,
      items: {
        type: "object",
        required: ["label", "key", "commands"],
        additionalProperties: false,
        properties: {
          label: text,
          // Buildkite rejects a UUID, which would be the id of a job.
          key: { type: "string", pattern: "^[a-zA-Z0-9_:-]{1,100}$" },
          commands: { ...texts, minItems: 1 },
          artifact_paths: texts,
          agents: { type: "object", additionalProperties: text },
          timeout_in_minutes: { type: "integer", minimum: 1 },
          soft_fail: { type: "boolean" },
          depends_on: {
            type: "array",
            items: {
              type: "object",
              required: ["step"],
              additionalProperties: false,
              properties: { step: text, allow_failure: { type: "boolean" } },
            },
          },
          retry: {
            type: "object",
            additionalProperties: false,
            properties: {
              automatic: {
                type: "array",
                items: {
                  type: "object",
                  additionalProperties: false,
                  properties: {
                    exit_status: { type: ["integer", "string"] },
                    limit: { type: "integer", minimum: 1, maximum: 10 },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
} as const;
