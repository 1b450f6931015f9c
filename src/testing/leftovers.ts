const cleanUps: (() => unknown)[] = [];

/**
 * Undone when the test file that runs is over (`set-up.ts`), last first. A hook of the module that left something would be one of
 * the first file alone that loads it: files share their modules.
 */
export const afterThisFile = (cleanUp: () => unknown): void => void cleanUps.push(cleanUp);

export async function cleanUpAfterFile(): Promise<void> {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
}
