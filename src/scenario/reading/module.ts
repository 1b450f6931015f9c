import { resolve } from 'node:path';
import { ConfigurationError, ExitCode, SpillwayError, withRejections } from '../../base/index.ts';
import { scenario } from '../schema.ts';

/** What the package's entry exports; a room may not import the entry, which leads back here. A test holds the two in step. */
const ownPackage = { scenario };

/**
 * Runs a TypeScript or JavaScript module and returns a copy of its default export, or of what that promises.
 * `import … from 'spillway'` gives this very package, wherever the file lies: jiti hands it out as a module already loaded, so that nothing is looked up or loaded twice.
 * @throws ConfigurationError when the file cannot be parsed, has no default export, or one that holds itself
 * @throws SpillwayError SCENARIO_THREW when it, or a module that it imports, throws, also in a promise that nobody waits for or in a
 *   getter
 */
export async function importDefault(file: string): Promise<unknown> {
  const path = resolve(file);
  // Half as long to load as the rest of the room, and for modules only.
  const { createJiti } = await import('jiti');
  const jiti = createJiti(import.meta.url, {
    // A cache on disk would be a write that nobody asked for; the files are small.
    fsCache: false,
    moduleCache: false,
    interopDefault: false,
    virtualModules: { spillway: ownPackage },
  });
  return guarded(file, path, async () => {
    const module: unknown = await jiti.import(path);
    if (typeof module === 'object' && module !== null && 'default' in module)
      return copyOf(await module.default, file, []);
    throw new ConfigurationError([
      { file, path: '', message: 'has no default export', hint: 'write export default scenario({ … })' },
    ]);
  });
}

/** Runs what belongs to the file; whatever is thrown meanwhile is the file's. */
async function guarded<T>(file: string, path: string, run: () => Promise<T>): Promise<T> {
  let what = 'ended the process while it was loaded';
  // What it threw where nobody waits for it was told already.
  const ended = (code: number) => code !== ExitCode.scenarioThrew && tellOfEnd(file, what);
  // Nothing is left to be done, and still it is waited for.
  const idle = () => {
    what = 'never finished loading: it waits for what never comes';
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

/** Nothing is thrown where a process ends: without a word it would read as a run that passed. */
function tellOfEnd(file: string, what: string): void {
  process.stderr.write(`spillway: ${file} ${what}; correct the file, or what it imports\n`);
  process.exitCode = ExitCode.scenarioThrew;
}

/** Plain data, so that no getter is asked once more. @param within objects that hold it, and the names under which they do */
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
  const copied = (member: unknown, name: string) => copyOf(member, file, [...within, [value, name]]);
  if (Array.isArray(value)) return value.map((member, index) => copied(member, `${index}`));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copied(member, name)]));
}

/** jiti's own words for a text that it cannot parse: `ParseError: <reason>  \n <file>:<line>:<column from 0>`. */
const PARSE_ERROR = /^ParseError: (.+?)\s*\n\s*(.+):(\d+):(\d+)$/s;

function moduleError(file: string, path: string, error: unknown): SpillwayError {
  const message = said(() => (error instanceof Error ? error.message : String(error)));
  const syntax = PARSE_ERROR.exec(message);
  if (syntax) {
    const place = { line: Number(syntax[3]), column: Number(syntax[4]) + 1 };
    const parsed = syntax[2] === path ? file : (syntax[2] ?? file);
    return new ConfigurationError([{ file: parsed, ...place, path: '', message: `cannot be parsed: ${syntax[1]}` }]);
  }
  const where = placeIn(error, path);
  const name = error instanceof Error ? `${error.name}: ` : '';
  const text = `${file}${where} threw while it was loaded: ${name}${message.split('\n')[0]}; correct the file, or what it imports`;
  return new SpillwayError('SCENARIO_THREW', text, ExitCode.scenarioThrew, { cause: error });
}

/** What is thrown may throw when it is looked at. */
function said(text: () => string): string {
  try {
    return text();
  } catch {
    return 'something that cannot be shown';
  }
}

/**
 * `:7`, the line of the innermost call that lies in the file; empty when none does. The transpiler keeps lines, not columns.
 */
function placeIn(error: unknown, path: string): string {
  const stack = said(() => (error instanceof Error ? (error.stack ?? '') : ''));
  const frame = stack.split('\n').find((line) => line.includes(`${path}:`));
  return frame === undefined ? '' : (/(:\d+):\d+(?=\)?\s*$)/.exec(frame)?.[1] ?? '');
}
