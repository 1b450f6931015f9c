import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JournalRecord } from '../../history/index.ts';
import { drawOf } from '../draw.ts';
import type { World } from '../world/world.ts';

/**
 * The file of a journal. In some worlds it ends at a random byte after its first line, and sometimes a range before the end was
 * never written and reads as zeros.
 */
export function fileOf({ seed, journal: { isTorn } }: World, records: readonly JournalRecord[]): Buffer {
  const draw = drawOf(seed, 'torn');
  const [header = '', ...lines] = records.map((record) => `${JSON.stringify(record)}\n`);
  const all = Buffer.from(lines.join(''));
  if (!isTorn) return Buffer.concat([Buffer.from(header), all]);
  const rest = all.subarray(0, draw.whole(0, all.length));
  if (draw.chance(0.3)) {
    const from = draw.whole(0, rest.length);
    rest.fill(0, from, Math.min(rest.length, from + draw.whole(0, 2_000)));
  }
  return Buffer.concat([Buffer.from(header), rest]);
}

/** Calls `use` with the path of a temporary file. */
export function withFile<T>(content: Buffer, use: (path: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'torn-'));
  try {
    const path = join(folder, 'history.ndjson');
    writeFileSync(path, content);
    return use(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
