import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadDocument, type Micros, seededRandom } from '../../base/index.ts';
import type { ScenarioInput } from '../../scenario/index.ts';
import { type loadedFrom, type Recorded, runVirtualScenario } from '../../testing/virtual.ts';
import type { Finding } from '../finding.ts';
import { findingsIn } from './finding.exam.ts';

const folder = join(import.meta.dirname, '../../../scenarios');
const shipped = readdirSync(folder).filter((name) => name.endsWith('.yaml'));

type Input = Parameters<typeof loadedFrom>[0];

function inputOf(file: string): Input {
  const { feeds, profile, ...input } = loadDocument(join(folder, file)).value as ScenarioInput &
    Record<string, unknown>;
  return input as Input;
}

/** Both ways take from 1 to 150 ms, each request its own: answers overtake one another. */
function jitter(seed: number): () => readonly [Micros, Micros] {
  const random = seededRandom(seed, 'jitter');
  const way = () => Math.round(1_000 + random.next() * 149_000) as Micros;
  return () => [way(), way()];
}

const counting = (findings: readonly Finding[]) => findings.filter(({ basis }) => basis !== 'observation');
const runs = (input: Input, sandbox: Record<string, unknown> = {}, seed = 1): Promise<Recorded> =>
  runVirtualScenario(input, { delayUs: jitter(seed), sandbox });

describe('an honest service', () => {
  it.each(shipped)('shows nothing at all in %s', async (file) => {
    const { records, exchanges } = await runVirtualScenario(inputOf(file));
    expect(exchanges.length).toBeGreaterThan(0);
    expect(findingsIn(records)).toEqual([]);
  });

  it.each(shipped)('shows nothing that counts in %s when answers overtake one another', async (file) => {
    for (const seed of [1, 2]) {
      const { records } = await runs(inputOf(file), {}, seed);
      expect(counting(findingsIn(records))).toEqual([]);
    }
  });

  const faults = [
    '*:latency:constant:800ms:p=0.3',
    '*:status-500:p=0.2',
    '*:status-502:p=0.2',
    '*:reset-before:p=0.2',
    '*:reset-after:p=0.2',
    '*:half-answer:p=0.2',
    '*:wrong-type:p=0.2',
    '*:clock-skew:+90s',
    'openStream:stream-drop:1',
    'openStream:stream-duplicate',
    'openStream:stream-reorder',
  ];

  it.each(faults)('shows nothing that counts with the fault %s', async (fault) => {
    for (const file of ['tour.yaml', 'idempotent-resend.yaml', 'history-paging.yaml', 'stream-versus-poll.yaml']) {
      const { records } = await runs(inputOf(file), { faults: [fault] });
      expect(counting(findingsIn(records)), file).toEqual([]);
    }
  });
});
