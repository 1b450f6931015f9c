import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { checkOpenFiles, openFilesLimit } from './open-files.ts';

it('says how many files are needed, how many are allowed, and both ways out', () => {
  expect(() => checkOpenFiles(960, 1_024)).not.toThrow();
  expect(() => checkOpenFiles(961, 1_024)).toThrow(
    'client.connections: 961 sockets need about 1025 open files, and the system allows 1024; raise the limit (ulimit -n 1025), or use at most 960 connections',
  );
});

it.skipIf(process.platform === 'win32')('knows the limit of the shell', () => {
  // Node raises the soft limit to the hard one when it starts.
  const hard = execFileSync('sh', ['-c', 'ulimit -H -n'], { encoding: 'utf8' }).trim();
  expect(String(openFilesLimit())).toBe(hard === 'unlimited' ? 'Infinity' : hard);
});
