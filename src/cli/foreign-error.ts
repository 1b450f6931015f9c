import { fileURLToPath } from 'node:url';
import { packageRoot } from '../base/index.ts';

const OWN_FILES = new URL('dist/', packageRoot);
/** As stacks name them: addresses of modules, paths of what was required. */
const OWN = [OWN_FILES.href, fileURLToPath(OWN_FILES)];
const PACKAGES = /[\\/]node_modules[\\/]/;

/** The place of a call in a stack, in brackets or alone: `(file:///a/b.js:1:2)`, `/a/b.ts:1:2`. */
const PLACE = /^ {4}at (?:.*\()?(?:async )?(.+?):\d+:\d+\)?$/gm;

/**
 * Whether nothing in a stack is this tool's or a package's: what was thrown there is a TypeScript scenario's own, or that of a file
 * which it imports, in a timer or a promise that outlasted its loading.
 */
export function isForeign(stack: string): boolean {
  const files = [...stack.matchAll(PLACE)].map(([, file = '']) => file).filter((file) => !file.startsWith('node:'));
  const isOurs = (file: string) => PACKAGES.test(file) || OWN.some((folder) => file.startsWith(folder));
  return files.length > 0 && !files.some(isOurs);
}
