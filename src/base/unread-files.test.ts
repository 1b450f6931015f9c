import { expect, it } from 'vitest';
import { whyNotRead } from './errors.ts';

const failing = (code: string) => Object.assign(new Error(`${code}: what the system says, open 'a.yaml'`), { code });

it.each([
  ['EACCES', 'permission denied', 'check its permissions and those of the folders above it'],
  ['EPERM', 'permission denied', 'check its permissions and those of the folders above it'],
  ['EISDIR', 'it is a folder', 'check the path'],
  ['ELOOP', 'its links lead in a circle', 'check the path'],
  ['ENOTDIR', 'a file stands where a folder should be', 'check the path'],
  ['EIO', "EIO: what the system says, open 'a.yaml'", 'check the path'],
])('tells %s in words, and what to do about it', (code, reason, hint) => {
  expect(whyNotRead(failing(code), 'check the path')).toEqual({ message: `cannot be read: ${reason}`, hint });
});
