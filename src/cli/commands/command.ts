import type { ArgumentsCamelCase, CommandModule } from 'yargs';
import type { ExitCode } from '../../base/index.ts';

/** A command of yargs, with its exit code, and a check of its values that also runs if the command line has other mistakes. */
export interface Command<T = object> extends Omit<CommandModule<object, T>, 'handler'> {
  /** Checks every value without side effects. @throws ConfigurationError with every problem */
  readonly look?: (args: T) => unknown;
  readonly handler: (args: ArgumentsCamelCase<T>) => ExitCode | Promise<ExitCode>;
}
