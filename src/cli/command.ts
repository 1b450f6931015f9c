import type { CommandModule } from 'yargs';

/** A command of yargs, with a check of its values that also runs if the command line has other mistakes. */
export type Command<T = object> = CommandModule<object, T> & {
  /** Checks every value without side effects. @throws ConfigurationError with every problem */
  readonly look?: (args: T) => unknown;
};
