import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, extname, join, normalize, parse, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nearest } from '../errors.ts';
import { packageRoot } from './version.ts';

/**
 * The existing path that differs from a mistyped one only a little, and only in its name; `undefined` if there is none. Extensions are
 * left out, because equal ones would make short names look alike; or only they differ.
 */
export function nearestBeside(path: string): string | undefined {
  const folder = dirname(path);
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return undefined;
  }
  const { base, name: own, ext } = parse(path);
  const otherwiseEnding = names.filter((name) => name !== base && parse(name).name === own);
  const stems = names.flatMap((name) => (extname(name) === ext ? [basename(name, ext)] : []));
  const stem = nearest(
    own,
    stems.filter((other) => other !== own),
  );
  const name = nearest(base, otherwiseEnding) ?? (stem && `${stem}${ext}`);
  return name && join(folder, name);
}

/** The file that help and documentation call `scenarios/…`, for somebody who is not in the folder of this package. */
export function shippedScenario(path: string): string | undefined {
  if (!normalize(path).startsWith(`scenarios${sep}`)) return undefined;
  // Not a URL of the path: a name may contain %, # and ?.
  const shipped = join(fileURLToPath(packageRoot), path);
  if (!existsSync(shipped)) return undefined;
  const fromHere = relative('', shipped);
  return fromHere.startsWith('..') ? shipped : fromHere;
}
