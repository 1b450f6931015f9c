import { expect, it } from 'vitest';
import { explain } from './cli.ts';
import { lockedPath } from './locked-path.ts';

const denied = (syscall: string, code = 'EACCES') =>
  Object.assign(new Error('denied'), { code, syscall, path: 'a/run' });

it('names a path that may not be read, and is no defect of the tool', () => {
  expect(lockedPath(denied('stat'))).toMatch(
    /^spillway: a\/run cannot be read: permission denied; check its permissions/,
  );
  expect(lockedPath(denied('scandir', 'EPERM'))).toMatch(
    /^spillway: a\/run cannot be read: permission denied; check its permissions/,
  );
  expect(lockedPath(denied('mkdir'))).toBeUndefined();
  expect(lockedPath(denied('stat', 'EIO'))).toBeUndefined();
  expect(lockedPath(undefined)).toBeUndefined();
  expect(explain(denied('stat'))).toBe(104);
});
