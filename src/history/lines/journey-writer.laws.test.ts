import fc from 'fast-check';
import { expect, it } from 'vitest';
import { journeys } from '../../testing/history/arbitrary-records.ts';
import type { JourneyRecord } from '../records.ts';
import { asciiJson } from './ascii-json.ts';
import { JourneyWriter } from './journey-writer.ts';

const plain: JourneyRecord = {
  kind: 'journey',
  arrival: 12,
  journey: 'ask',
  intendedAt: 1_000_000 as JourneyRecord['startedAt'],
  startedAt: 1_000_001 as JourneyRecord['startedAt'],
  endedAt: 86_400_000_000_000 as JourneyRecord['endedAt'],
  outcome: 'completed',
};

const asWritten = ({ kind, arrival, journey, intendedAt, ...others }: JourneyRecord): JourneyRecord => ({
  kind,
  arrival,
  journey,
  ...(intendedAt !== undefined && { intendedAt }),
  ...others,
});

it('writes the line of a journey like JSON.stringify, in ASCII, whatever came before', () => {
  fc.assert(
    fc.property(fc.array(journeys, { maxLength: 20 }), fc.nat({ max: 40 }), (records, at) => {
      const page = Buffer.alloc(4_096);
      const writer = new JourneyWriter();
      for (const record of records.map(asWritten)) {
        const end = writer.write(page, at, record);
        const isOrdinary = record.stoppedAt === undefined && record.intendedAt !== undefined;
        if (isOrdinary) expect(page.toString('latin1', at, end)).toBe(`${asciiJson(record)}\n`);
        else expect(end).toBe(-1);
      }
    }),
    { numRuns: 500 },
  );
});

it('declines a journey with unusual members or without room', () => {
  const writer = new JourneyWriter();
  const page = Buffer.alloc(400, '.');
  const odd = [-1, 0.5, Number.NaN, 1e20].map((arrival) => ({ ...plain, arrival }));
  expect(odd.map((record) => writer.write(page, 0, record))).toEqual([-1, -1, -1, -1]);
  const length = `${asciiJson(plain)}\n`.length;
  expect(writer.write(page, 100, plain)).toBe(100 + length);
  expect(writer.write(page, page.length - length + 1, plain)).toBe(-1);
  expect(page.toString('latin1', 100 + length)).toBe('.'.repeat(300 - length));
});
