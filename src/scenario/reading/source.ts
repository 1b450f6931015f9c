import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { ConfigurationError, loadDocument, noSuchFile, type SourceDocument } from '../../base/index.ts';
import { type Expected, mistakenDocument, mistakenPath } from './mistaken.ts';
import { importDefault } from './module.ts';

const documents = ['.yaml', '.yml', '.json'];
const modules = ['.ts', '.mts', '.js', '.mjs'];

/**
 * Reads a scenario or a profile, as expected. YAML and JSON come with the position of every value, TypeScript and JavaScript without.
 * @throws ConfigurationError; SpillwayError SCENARIO_THREW
 */
export async function readSource(file: string, expected: Expected): Promise<SourceDocument> {
  const source = await readAny(file, expected);
  const mistaken = mistakenDocument(file, source.value, expected);
  if (mistaken) throw new ConfigurationError([mistaken]);
  return source;
}

async function readAny(file: string, expected: Expected): Promise<SourceDocument> {
  const extension = extname(file).toLowerCase();
  const mistaken = mistakenPath(file, expected);
  if (mistaken) throw new ConfigurationError([mistaken]);
  if (![...documents, ...modules].includes(extension)) {
    const message = `${extension === '' ? 'a file without extension' : extension} is not a file type for scenarios or profiles`;
    throw new ConfigurationError([
      { file, path: '', message, hint: `give a file that ends in ${[...documents, ...modules].join(', ')}` },
    ]);
  }
  if (documents.includes(extension)) return loadDocument(file);
  if (!existsSync(file)) throw noSuchFile(file);
  return { file, value: await importDefault(file) };
}
