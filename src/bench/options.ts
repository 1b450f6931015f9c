import { type ParseArgsConfig, parseArgs } from 'node:util';

type OptionsConfig = NonNullable<ParseArgsConfig['options']>;

/**
 * The options of a program of this folder. `--help` prints them; a mistake ends the program with a sentence and the options.
 * @param command what runs it
 * @param options those whose default is a number take no other value
 */
export function optionsOf<const Options extends OptionsConfig>(command: string, options: Options) {
  if (process.argv.includes('--help')) {
    console.log(usageOf(command, options));
    process.exit(0);
  }
  try {
    const { values } = parseArgs({ options });
    for (const [name, { default: usual }] of Object.entries(options))
      if (isNumber(usual) && !isNumber(values[name as keyof typeof values]))
        throw new Error(`--${name} must be a number above 0; write for example --${name} ${usual}`);
    return values;
  } catch (error) {
    return mistake((error as Error).message, command, options);
  }
}

/** What `--only` selects. Selecting nothing is a mistake, and would give an empty table. */
export function selected<Item extends { readonly name: string }>(
  items: readonly Item[],
  only: readonly string[] | undefined,
): readonly Item[] {
  if (only === undefined) return items;
  const found = items.filter(({ name }) => only.some((part) => name.includes(part)));
  if (found.length > 0) return found;
  return mistake(`no name contains ${only.join(' or ')}; there are: ${items.map(({ name }) => name).join('; ')}`);
}

/** Ends the program. @param usage whose options are told, too */
export function mistake(message: string, ...usage: Parameters<typeof usageOf> | []): never {
  console.error(usage.length === 0 ? message : `${message}\n${usageOf(...usage)}`);
  process.exit(104);
}

const isNumber = (value: unknown): value is string => Number(value) > 0 && typeof value === 'string';

function usageOf(command: string, options: OptionsConfig): string {
  const told = Object.entries(options).map(([name, { type, default: usual, multiple }]) => {
    const value = type === 'string' ? ' …' : '';
    const more = [multiple && 'may be repeated', type === 'string' && usual !== undefined && `default ${usual}`];
    return `  --${name}${value}  ${more.filter(Boolean).join('; ')}`.trimEnd();
  });
  return [`${command} [options]; src/bench/README.md says what they are for`, ...told].join('\n');
}
