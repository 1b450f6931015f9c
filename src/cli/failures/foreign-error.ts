import { fileURLToPath } from 'node:url';
import { packageRoot } from '../../base/index.ts';

const OWN_FILES = new URL('dist/', packageRoot);
/** The prefixes of own files in stacks: URLs of ES modules, paths of CommonJS modules. */
const OWN = [OWN_FILES.href, fileURLToPath(OWN_FILES)];
const PACKAGES = /[\\/]node_modules[\\/]/;

/** The location of a stack frame, with or without brackets: `(file:///a/b.js:1:2)`, `/a/b.ts:1:2`. */
const PLACE = /^ {4}at (?:.*\()?(?:async )?(.+?):\d+:\d+\)?$/gm;

/**
 * Whether no frame of a stack belongs to this tool or a package. The error then comes from a TypeScript scenario or a file that it
 * imports, in a timer or a promise that outlived the loading.
 */
export function isForeign(stack: string): boolean {
  const files = [...stack.matchAll(PLACE)].map(([, file = '']) => file).filter((file) => !file.startsWith('node:'));
  const isOurs = (file: string) => PACKAGES.test(file) || OWN.some((folder) => file.startsWith(folder));
  return files.length > 0 && !files.some(isOurs);
}
