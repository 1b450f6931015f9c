import { readdirSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { nearest } from './errors.ts';

/**
 * The existing path that differs from a mistyped one only a little, and only in its name; `undefined` if there is none. Extensions are
 * left out, because equal ones would make short names look alike.
 */
export function nearestBeside(path: string): string | undefined {
  const folder = dirname(path);
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return undefined;
  }
  const extension = extname(path);
  const stems = names.flatMap((name) => (extname(name) === extension ? [basename(name, extension)] : []));
  const own = basename(path, extension);
  const stem = nearest(
    own,
    stems.filter((other) => other !== own),
  );
  return stem === undefined ? undefined : join(folder, `${stem}${extension}`);
}
