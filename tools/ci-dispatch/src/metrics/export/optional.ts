import { Failure } from "@skein/reporting";

/**
 * Loads an optional package.
 * @param name the package's name, for messages
 * @throws {Failure} with a hint how to install the package
 */
export async function loadOptional<T>(
  name: string,
  load: () => Promise<T>,
): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND")
      throw error;
    throw new Failure(
      `this needs the package ${name}, which is not installed`,
      {
        hint: `install it in the root of the workspace: yarn add --dev ${name}`,
        cause: error,
      },
    );
  }
}
