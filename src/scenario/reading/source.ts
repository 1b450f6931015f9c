import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { ConfigurationError, loadDocument, noSuchFile, type SourceDocument, statIfThere } from '../../base/index.ts';
import { importDefault } from './module.ts';

const documents = ['.yaml', '.yml', '.json'];
const modules = ['.ts', '.mts', '.js', '.mjs'];

/**
 * Reads a scenario or a profile. YAML and JSON come with the position of every value, TypeScript and JavaScript without.
 * @throws ConfigurationError; SpillwayError SCENARIO_THREW
 */
export async function readSource(file: string): Promise<SourceDocument> {
  const extension = extname(file).toLowerCase();
  if (isFolder(file)) {
    throw new ConfigurationError([
      { file, path: '', message: 'cannot be read: it is a folder', hint: 'name a file in it' },
    ]);
  }
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

const isFolder = (path: string): boolean => statIfThere(path)?.isDirectory() ?? false;
