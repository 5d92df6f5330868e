const { SKEIN_TEST_CERTIFICATES: file } = process.env;

/**
 * The variable with which Node accepts the certificates of this machine's proxy, for programs that use the npm registry.
 * jest.config.js takes it out of the environment of all others, because they start more quickly without it.
 */
export const certificates: Readonly<Record<string, string>> =
  file === undefined ? {} : { NODE_EXTRA_CA_CERTS: file };
