import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import {
  ConfigurationError,
  loadDocument,
  noSuchFile,
  parseDocument,
  type SourceDocument,
  STANDARD_INPUT,
  utf8Of,
} from '../../base/index.ts';
import { type Expected, mistakenDocument, mistakenPath } from './mistaken.ts';
import { importDefault } from './module.ts';

const documents = ['.yaml', '.yml', '.json'];
/** In lower case only: nothing else loads one that is called `.TS`. */
const modules = ['.ts', '.mts', '.js', '.mjs'];

/**
 * Reads a scenario or a profile, as expected. YAML and JSON come with the position of every value, TypeScript and JavaScript without.
 * @param variables environment variables that a module sees in addition
 * @throws ConfigurationError; SpillwayError SCENARIO_THREW
 */
export async function readSource(
  file: string,
  expected: Expected,
  variables?: Readonly<Record<string, string>>,
): Promise<SourceDocument> {
  const source = await readAny(file, expected, variables);
  const mistaken = mistakenDocument(file, source.value, expected);
  if (mistaken) throw new ConfigurationError([mistaken]);
  return source;
}

/** Can be read only once, and a scenario is loaded again where a mistake on the command line hides those in it. */
let input: Promise<Uint8Array> | undefined;
const standardInput = (): Promise<Uint8Array> => (input ??= buffer(process.stdin));

async function readAny(
  file: string,
  expected: Expected,
  variables: Readonly<Record<string, string>> | undefined,
): Promise<SourceDocument> {
  if (file === STANDARD_INPUT) return parseDocument(utf8Of(await standardInput(), file), file);
  const extension = extname(file).toLowerCase();
  const mistaken = mistakenPath(file, expected);
  if (mistaken) throw new ConfigurationError([mistaken]);
  const isModule = modules.includes(extname(file));
  if (!isModule && !documents.includes(extension)) {
    const message = `${extname(file) || 'a file without extension'} is not a file type for scenarios or profiles`;
    throw new ConfigurationError([
      { file, path: '', message, hint: `give a file that ends in ${[...documents, ...modules].join(', ')}` },
    ]);
  }
  if (!isModule) return loadDocument(file);
  if (!existsSync(file)) throw noSuchFile(file);
  return { file, value: await importDefault(file, variables) };
}
