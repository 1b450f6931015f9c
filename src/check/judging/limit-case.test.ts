import { expect, it } from 'vitest';
import { type Bounds, FLUSHED } from '../evidence/bounds.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { Part, type Slice } from '../evidence/slice.ts';
import { judgeReading } from './judge-reading.ts';
import { type LimitCase, variant } from './limit-case.ts';

const N = 2;

const bucket = (user: string, part: readonly Part[]): Slice => ({
  size: part.length,
  from: new Float64Array(part.length),
  to: new Float64Array(part.length),
  part: Uint8Array.from(part),
  row: new Uint32Array(part.length),
  scope: { user },
});

it('engines see the buckets that can rule out a reading alone', () => {
  const { admitted, refused, ambiguous, maybe } = Part;
  const buckets = [
    bucket('one', [admitted]),
    bucket('full', [admitted, admitted]),
    bucket('over', [admitted, admitted, admitted]),
    bucket('unknown', [maybe, maybe]),
    bucket('refused', [admitted, refused]),
    bucket('perhaps refused', [ambiguous]),
  ];
  const seen: string[] = [];
  const engine = (slice: Slice) => {
    seen.push(slice.scope.user ?? '');
    return undefined;
  };
  const reading = {
    name: 'any',
    overAdmission: engine,
    unexplained: (slice: Slice) => {
      engine(slice);
      return [];
    },
    wrongfulRefusal: () => {
      throw new Error('nothing is unexplained');
    },
    inconsistent: engine,
  };
  const bounds = { max: N, refusals: FLUSHED } as unknown as Bounds;
  const about = { limit: 'rate', bounds } as unknown as LimitCase<Slice>;
  judgeReading(
    reading,
    variant('user', 'all', () => buckets),
    about,
    {} as Evidence,
  );
  const telling = ['over', 'refused', 'perhaps refused'];
  expect(seen).toEqual([...telling, ...telling, ...telling]);
});
