import type { Argv } from 'yargs';

/**
 * Disables the layout of help before each command: yargs prepares it for failures, but we do not show it, and it takes longer than
 * everything else in yargs. The type declarations lack these internals.
 * @returns the parser
 */
export function layNothingOut<T>(parser: Argv<T>): Argv<T> {
  const { getUsageInstance } = (
    parser as unknown as { getInternalMethods(): { getUsageInstance(): { cacheHelpMessage: () => void } } }
  ).getInternalMethods();
  getUsageInstance().cacheHelpMessage = () => undefined;
  return parser;
}
