import { resolve } from 'node:path';
import { ConfigurationError, ExitCode, SpillwayError } from '../../base/index.ts';
import { scenario } from '../schema.ts';

/** What the package's entry exports; a room may not import the entry, which leads back here. A test holds the two in step. */
const ownPackage = { scenario };

/**
 * Runs a TypeScript or JavaScript module and returns its default export. `import … from 'spillway'` gives this very
 * package, wherever the file lies: jiti hands it out as a module already loaded, so that nothing is looked up or loaded twice.
 * @throws ConfigurationError when the file cannot be parsed, or has no default export
 * @throws SpillwayError SCENARIO_THREW when it, or a module that it imports, throws
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
  let module: unknown;
  try {
    module = await jiti.import(path);
  } catch (error) {
    throw moduleError(file, path, error);
  }
  if (typeof module === 'object' && module !== null && 'default' in module) return module.default;
  throw new ConfigurationError([
    { file, path: '', message: 'has no default export', hint: 'write export default scenario({ … })' },
  ]);
}

/** jiti's own words for a text that it cannot parse: `ParseError: <reason>  \n <file>:<line>:<column from 0>`. */
const PARSE_ERROR = /^ParseError: (.+?)\s*\n\s*(.+):(\d+):(\d+)$/s;

function moduleError(file: string, path: string, error: unknown): SpillwayError {
  const message = error instanceof Error ? error.message : String(error);
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

/**
 * `:7`, the line of the innermost call that lies in the file; empty when none does. The transpiler keeps lines, not columns.
 */
function placeIn(error: unknown, path: string): string {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const frame = stack.split('\n').find((line) => line.includes(`${path}:`));
  return frame === undefined ? '' : (/(:\d+):\d+(?=\)?\s*$)/.exec(frame)?.[1] ?? '');
}
