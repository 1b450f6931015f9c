import { resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigurationError, DEEPEST, ExitCode, SpillwayError, TOO_DEEP, withRejections } from '../../base/index.ts';
import { scenario } from '../published/scenario.ts';

/** The exports of the package's entry point. Not imported from there, because the entry imports this room. A test keeps the two equal. */
const ownPackage = { scenario };

/**
 * Runs a TypeScript or JavaScript module and returns a copy of its default export, awaited if it is a promise.
 * The module finds `variables` in `process.env`, where its code looks for them.
 * `import … from 'spillway'` resolves to this package wherever the file is, because jiti provides it as a virtual module.
 * @throws ConfigurationError if the file cannot be parsed, has no default export, or one that contains itself or is nested too deeply
 * @throws SpillwayError SCENARIO_THREW if the file or a module that it imports throws, including unhandled rejections and getters
 */
export async function importDefault(file: string, variables: Readonly<Record<string, string>> = {}): Promise<unknown> {
  // As jiti spells it in messages and stacks, on Windows too.
  const path = resolve(file).replaceAll(sep, '/');
  // Loaded lazily: takes half as long as the rest of the room and is needed for modules only.
  const { createJiti } = await import('jiti');
  const jiti = createJiti(import.meta.url, {
    // No cache on disk: users do not expect writes, and the files are small.
    fsCache: false,
    moduleCache: false,
    // Otherwise the default import of CommonJS is undefined below a folder called `#1`, where jiti cannot leave it to Node.
    interopDefault: true,
    virtualModules: { spillway: ownPackage },
  });
  const load = async () => {
    const module: unknown = await jiti.import(path).catch(withDefaultNull);
    const has = typeof module === 'object' && module !== null && 'default' in module;
    const value = has ? await defaultOf(module) : undefined;
    if (value !== undefined && value !== null) return copyOf(value, file, []);
    const message = has ? `has a default export that is ${value}` : 'has no default export';
    throw new ConfigurationError([{ file, path: '', message, hint: 'write export default scenario({ … })' }]);
  };
  return guarded(file, path, () => withVariables(variables, load));
}

async function withVariables<T>(variables: Readonly<Record<string, string>>, run: () => Promise<T>): Promise<T> {
  const own = { ...process.env };
  Object.assign(process.env, variables);
  try {
    return await run();
  } finally {
    for (const name of Object.keys(variables)) {
      if (own[name] === undefined) delete process.env[name];
      else process.env[name] = own[name];
    }
  }
}

/** jiti fails to resolve to a module whose default export is null, because it looks there for `then`. */
function withDefaultNull(error: unknown): { readonly default: null } {
  const { message = '', stack = '' } = error instanceof TypeError ? error : {};
  if (!message.includes("null (reading 'then')") || !/^.*\n +at Object\.get \(.*\bjiti\b/.test(stack)) throw error;
  return { default: null };
}

/** Its own property: the interop of jiti has the whole module in place of a default export that is undefined. */
function defaultOf(module: object): unknown {
  const own = Object.getOwnPropertyDescriptor(module, 'default');
  return own?.get ? own.get() : own?.value;
}

/** Runs code of the file. Everything that is thrown meanwhile is attributed to the file. */
async function guarded<T>(file: string, path: string, run: () => Promise<T>): Promise<T> {
  let what = 'ended the process while it was loaded';
  // An unhandled error has been reported already.
  const ended = (code: number) => code !== ExitCode.scenarioThrew && tellOfEnd(file, what);
  // The event loop is empty, but the module has not finished. Without `exit`, Node 22 would warn about the file of ours that awaits it.
  const idle = () => {
    what = 'never finished loading: it waits for something that never happens';
    process.exit();
  };
  process.once('exit', ended).once('beforeExit', idle);
  try {
    return await withRejections(run);
  } catch (error) {
    throw error instanceof ConfigurationError ? error : moduleError(file, path, error);
  } finally {
    process.off('exit', ended).off('beforeExit', idle);
  }
}

/** Reports that the process ends during loading. Without it, the exit code would look like a run that passed. */
function tellOfEnd(file: string, what: string): void {
  process.stderr.write(`spillway: ${file} ${what}; correct the file, or what it imports\n`);
  process.exitCode = ExitCode.scenarioThrew;
}

/** A copy as plain data, so that getters are evaluated only once. @param within the objects that contain the value, with the names of the members */
function copyOf(value: unknown, file: string, within: readonly (readonly [object, string])[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const isPlain = Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value));
  if (!isPlain) return value;
  if (within.some(([holder]) => holder === value)) {
    const path = within.map(([, name]) => name).join('.');
    throw new ConfigurationError([
      { file, path, message: 'contains itself', hint: 'write it out, or use the step repeat' },
    ]);
  }
  if (within.length >= DEEPEST) throw new ConfigurationError([{ file, path: '', ...TOO_DEEP }]);
  const copied = (member: unknown, name: string) => copyOf(member, file, [...within, [value, name]]);
  if (Array.isArray(value)) return value.map((member, index) => copied(member, `${index}`));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copied(member, name)]));
}

/** jiti's message for a syntax error: `ParseError: <reason>  \n <file>:<line>:<column from 0>`. */
const PARSE_ERROR = /^ParseError: (.+?)\s*\n\s*(.+):(\d+):(\d+)$/s;

function moduleError(file: string, path: string, error: unknown): SpillwayError {
  const message = said(() => (error instanceof Error ? error.message : String(error)));
  const [, reason, parsed = path, line, column] = PARSE_ERROR.exec(message) ?? [];
  if (reason !== undefined) {
    const place = { file: parsed === path ? file : parsed, line: Number(line), column: Number(column) + 1 };
    return new ConfigurationError([{ ...place, path: '', message: `cannot be parsed: ${reason}` }]);
  }
  const where = placeIn(error, path);
  const name = error instanceof Error ? `${error.name}: ` : '';
  const text = `${file}${where} threw while it was loaded: ${name}${message.split('\n')[0]}; correct the file, or what it imports`;
  return new SpillwayError('SCENARIO_THREW', text, ExitCode.scenarioThrew, { cause: error });
}

/** Guards against thrown values whose accessors throw. */
function said(text: () => string): string {
  try {
    return text();
  } catch {
    return 'something that cannot be shown';
  }
}

/**
 * `:7`, the line of the innermost stack frame in the file; empty if there is none. The transpiler preserves lines, but not columns.
 * What Node loads itself is a URL in stacks.
 */
function placeIn(error: unknown, path: string): string {
  const stack = said(() => (error instanceof Error ? (error.stack ?? '') : ''));
  const spellings = [`${path}:`, `${pathToFileURL(path).href}:`];
  const frame = stack.split('\n').find((line) => spellings.some((each) => line.includes(each))) ?? '';
  return /(:\d+):\d+(?=\)?\s*$)/.exec(frame)?.[1] ?? '';
}
