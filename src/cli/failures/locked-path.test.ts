import { expect, it } from 'vitest';
import { PATIENCE_MS, spillway } from '../../testing/cli.ts';
import { explain } from './explain.ts';
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
  expect(lockedPath(denied('access'))).toBe(lockedPath(denied('stat')));
  expect(lockedPath(denied('mkdir'))).toBeUndefined();
  expect(lockedPath(denied('stat', 'EIO'))).toBeUndefined();
  expect(lockedPath(undefined)).toBeUndefined();
  expect(explain(denied('stat'))).toBe(104);
});

it('says that the working folder was removed, which is no defect of the tool either', {
  timeout: PATIENCE_MS,
}, async () => {
  const { code, err } = await spillway(['plan', 'any.yaml'], { before: 'mkdir gone && cd gone && rmdir ../gone' });
  expect(err).toBe('spillway: the working folder does not exist any more; change to one that does\n');
  expect(code).toBe(104);
});
