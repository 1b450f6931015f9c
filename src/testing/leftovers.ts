const cleanUps: (() => unknown)[] = [];

/**
 * Registers a clean-up for the end of the current test file (`set-up.ts`); clean-ups run in reverse order. An `afterAll` in a helper
 * module would apply only to the first file that loads the module, because test files share modules.
 */
export const afterThisFile = (cleanUp: () => unknown): void => void cleanUps.push(cleanUp);

export async function cleanUpAfterFile(): Promise<void> {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
}
