import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../base/index.ts';

const OWN_FILES = fileURLToPath(new URL('dist/', packageRoot));
const PACKAGES = `${sep}node_modules${sep}`;

/** The place of a call in a stack, in brackets or alone: `(file:///a/b.js:1:2)`, `/a/b.ts:1:2`. */
const PLACE = /^ {4}at (?:.*\()?(?:async )?(.+?):\d+:\d+\)?$/gm;

/**
 * Whether nothing in a stack is this tool's or a package's: what was thrown there is a TypeScript scenario's own, or that of a file
 * which it imports, in a timer or a promise that outlasted its loading.
 */
export function isForeign(stack: string): boolean {
  const places = [...stack.matchAll(PLACE)]
    .map(([, place = '']) => place)
    .filter((place) => !place.startsWith('node:'));
  const files = places.map((place) => (place.startsWith('file:') ? fileURLToPath(place) : place));
  return files.length > 0 && files.every((file) => !file.startsWith(OWN_FILES) && !file.includes(PACKAGES));
}
