import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JournalRecord } from '../../history/index.ts';
import { drawOf } from '../draw.ts';

/** A journal that ends at a random byte after its first line. Sometimes a range before the end was never written and reads as zeros. */
function tornBytes(records: readonly JournalRecord[], seed: number): Buffer {
  const draw = drawOf(seed, 'torn');
  const [header = '', ...lines] = records.map((record) => `${JSON.stringify(record)}\n`);
  const all = Buffer.from(lines.join(''));
  const rest = all.subarray(0, draw.whole(0, all.length));
  if (draw.chance(0.3)) {
    const from = draw.whole(0, rest.length);
    rest.fill(0, from, Math.min(rest.length, from + draw.whole(0, 2_000)));
  }
  return Buffer.concat([Buffer.from(header), rest]);
}

/** Calls `use` with the path of a temporary torn journal. */
export function withTornFile<T>(records: readonly JournalRecord[], seed: number, use: (path: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'torn-'));
  try {
    const path = join(folder, 'history.ndjson');
    writeFileSync(path, tornBytes(records, seed));
    return use(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
