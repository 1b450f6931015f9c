/* What the command lines of trials/ have in common. */

/** A mistake on the command line. */
export class UsageError extends Error {}

/** The value of an option. @throws UsageError if it is not a whole number of at least `least` */
export function whole(name: string, text: string, least: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < least)
    throw new UsageError(`--${name} must be a whole number of at least ${least}, not "${text}"`);
  return value;
}

/** Prints a line. @returns the code with which the command then ends */
export function say(text: string, code = 0): number {
  process.stdout.write(`${text}\n`);
  return code;
}

/** Runs a command. It ends with the code that `main` returns, with 104 after a mistake on the command line, or with 1 if `main` throws. */
export async function command(main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    const isUsage = error instanceof UsageError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
    process.stderr.write(`${isUsage ? (error as Error).message : ((error as Error).stack ?? error)}\n`);
    process.exitCode = isUsage ? 104 : 1;
  }
}
