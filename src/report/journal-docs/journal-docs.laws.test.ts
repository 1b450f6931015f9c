import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { headers, innerRecords } from '../../testing/history/arbitrary-records.ts';

const readme = readFileSync(new URL('../../../results/README.md', import.meta.url), 'utf8');

/** Names in the first column of the table of a kind. */
function documented(kind: string): Set<string> {
  const [, table = ''] = readme.match(new RegExp(`journal ${kind}: begin.*?-->(.*?)<!--`, 's')) ?? [];
  return new Set([...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = '']) => name));
}

it('every member of every line of the journal is explained in the README of the results', () => {
  fc.assert(
    fc.property(fc.oneof(headers, innerRecords), (record) => {
      const names = documented(record.kind);
      expect(Object.keys(record).filter((name) => !names.has(name))).toEqual([]);
      if (record.kind !== 'exchange') return;
      for (const within of ['turn', 'message', 'history', 'otherwise'] as const)
        for (const name of Object.keys(record[within] ?? {})) expect(names).toContain(`${within}.${name}`);
    }),
  );
});
