import { describe, expect, it } from 'vitest';
import type { Micros } from '../base/index.ts';
import type { Exchange, JournalRecord } from '../history/index.ts';
import { exchange, us } from '../testing/history/sample-records.ts';
import { judge, renderVerdicts } from './index.ts';
import { admitted, exact, journal, rateOf, refusal, service } from './rate-histories.exam.ts';
import { rateJournal } from './rate-service.exam.ts';
import { honestTokenBucket } from './readings/honest-limiters.exam.ts';

describe('doubtful records', () => {
  const flood = admitted(45, 100_000);

  it('support no accusation, and are named', () => {
    const reversed = flood.map((one) => ({ ...one, headersAt: us(one.sentAt - 5) }));
    const verdicts = judge(journal(reversed));
    expect(verdicts.limits[0]?.verdict).toBe('undecided');
    expect(verdicts.soundness.skipped).toEqual({ 'received before it was sent': 45 });
  });

  it('of one sequence number are all doubted', () => {
    const verdicts = judge(journal([...flood, ...flood]));
    expect(verdicts.limits[0]?.verdict).toBe('undecided');
    expect(verdicts.soundness.skipped).toEqual({ 'duplicate sequence number': 90 });
  });

  it('leave the rest to be judged', () => {
    const negative = exchange({ seq: 99, sentAt: us(-5), headersAt: us(5), receivedAt: us(6) });
    expect(rateOf(journal([negative, ...flood])).verdict).toBe('violated');
  });

  it('count against the proof of a wrongful refusal', () => {
    const late = refusal(100, 10_000_000);
    const alone = rateOf(journal([...admitted(1, 1), late]));
    expect(alone).toMatchObject({ verdict: 'violated', because: 'wrongful-refusal' });
    const doubtful = Array.from({ length: 20 }, (_, i) => exchange({ seq: 200 + i, sentAt: us(-5) }));
    expect(rateOf(journal([...admitted(1, 1), late, ...doubtful])).verdict).toBe('consistent');
    const lost: JournalRecord = { kind: 'sent', seq: 7, operation: 'readTurn', at: 3 as Micros };
    expect(rateOf(journal([...admitted(1, 1), lost, late])).verdict).toBe('undecided');
  });

  it('of the clock let nothing be judged that depends on time: it may have run at any speed', () => {
    const head = { clock: { ...exact, rate: 60 } };
    const clock = (rate: number): JournalRecord => ({
      ...{ kind: 'clock', at: us(0), serviceUs: us(1_795_262_400_000_000), plusMinusUs: us(0), rate },
    });
    expect(rateOf(journal([clock(60), ...admitted(45, 10_000)], head)).verdict).toBe('violated');
    for (const wrong of [0, -60, 1, 600]) {
      const { limits, soundness } = judge(journal([clock(wrong), ...admitted(45, 10_000)], head));
      expect(limits[0]).toMatchObject({ verdict: 'undecided', overAdmission: 'not-proven' });
      expect(soundness.skipped).toEqual({ 'clock of another speed than the header says': 1 });
    }
  });

  it('in any order give the same verdicts', () => {
    const records = rateJournal(honestTokenBucket, service, 3);
    const [first, ...rest] = records;
    if (!first) throw new Error('no records');
    const states = (verdicts: ReturnType<typeof judge>) =>
      verdicts.limits.map(({ verdict, readings }) => [verdict, ...readings.map(({ state }) => state)]);
    expect(states(judge([first, ...rest.reverse()]))).toEqual(states(judge(records)));
  });
});

describe('refusals without a code', () => {
  const uncoded = (seq: number, operation: Exchange['operation'], at: number) =>
    exchange({
      seq,
      operation,
      sentAt: us(at),
      headersAt: us(at + 10),
      receivedAt: us(at + 20),
      outcome: 'refused',
      status: 429,
    });

  it('of a poll can only be by the rate limit; of a message by any', () => {
    const { refusals } = judge(
      journal([uncoded(0, 'readTurn', 0), uncoded(1, 'sendMessage', 1_000)], { exclusive: false }),
    );
    expect(refusals).toEqual({
      total: 2,
      unnamed: 2,
      attributed: { rate: 1, concurrency: 0, daily: 0, ambiguous: 1 },
      wrongful: [],
    });
  });

  it('are wrongful when no limit explains them, with a proof for each', () => {
    const { refusals } = judge(journal([uncoded(0, 'sendMessage', 0)]));
    expect(refusals.wrongful).toHaveLength(1);
    expect(new Set(refusals.wrongful[0]?.certificates.map(({ limit }) => limit))).toEqual(
      new Set(['rate', 'concurrency', 'daily']),
    );
  });
});

it('a limit that every reading convicts of a wrong refusal is told so, whatever else rules some of them out', () => {
  const at = (seq: number, seconds: number) =>
    exchange({ seq, token: 't1', conversation: 'c1', sentAt: us(seconds * 1e6), headersAt: us(seconds * 1e6) });
  const fifteen = (from: number, seconds: number) => Array.from({ length: 15 }, (_, i) => at(from + i, seconds));
  // 15 a minute from the first request on: too few under every reading, and 29 around the boundary are too many for a sliding log.
  const records = [at(0, 0), ...fifteen(1, 50).slice(1), refusal(20, 51_000_000), ...fifteen(21, 61)];
  const verdict = rateOf(journal(records));
  expect(verdict).toMatchObject({
    verdict: 'violated',
    because: 'wrongful-refusal',
    certificate: { because: 'wrongful-refusal', refusal: 20 },
  });
  const log = verdict.readings.filter(({ reading }) => reading === 'sliding-log');
  expect(log.map((one) => one.state === 'refuted' && one.because)).toEqual(['over-admission', 'wrongful-refusal']);
});

describe('a large history of which no reading is declared', () => {
  /** A window of a minute that admits the first 20 of 25; every request in another conversation. */
  const minutes = (count: number, max: number) => {
    const records = Array.from({ length: count * 25 }, (_, seq) => {
      const at = Math.floor(seq / 25) * 60_000_000 + (seq % 25) * 2_400_000;
      const conversation = `c${seq % 7}`;
      return seq % 25 < 20
        ? exchange({ seq, conversation, sentAt: us(at), headersAt: us(at + 900), receivedAt: us(at + 950) })
        : { ...refusal(seq, at), conversation };
    });
    const rate = { max, windowUs: 60_000_000 as Micros, reading: 'unknown' };
    return rateOf(journal(records, { limits: { rate, concurrency: { max: 2 }, daily: { max: 50 } } }));
  };
  const waysOf = ({ readings }: ReturnType<typeof minutes>, name: string) =>
    readings.filter(({ reading }) => reading === name).map(({ scope, state }) => `${scope} ${state}`);

  it('is judged as declared, and under the extremes: other ways cannot turn a verdict that a surviving reading decides', () => {
    const [small, large] = [minutes(20, 20), minutes(805, 20)];
    expect([small.verdict, large.verdict]).toEqual(['consistent', 'consistent']);
    expect(waysOf(large, 'fixed-window')).toEqual(['application survives']);
    expect(waysOf(large, 'token-bucket')).toEqual(waysOf(small, 'token-bucket'));
    expect(waysOf(small, 'sliding-log-counting-refused')).toEqual(['application refuted', 'narrowest survives']);
    expect(waysOf(large, 'sliding-log-counting-refused')).toEqual(['application refuted']);
    // Refuted as declared alone, it is neither ruled out nor told to be possible.
    const told = [...(large.inference?.possible ?? []), ...(large.inference?.ruledOut ?? [])];
    expect(told.map(({ reading }) => reading)).not.toContain('sliding-log-counting-refused');
  });

  it('is judged in every way where none survives', () => {
    const [small, large] = [minutes(40, 23), minutes(805, 23)];
    for (const verdict of [small, large])
      expect(verdict).toMatchObject({ verdict: 'violated', because: 'wrongful-refusal' });
    expect(waysOf(large, 'fixed-window')).toEqual(waysOf(small, 'fixed-window'));
  });
});

describe('verdicts for people', () => {
  it('say the claim, the interval, who was in it and how to see it again', () => {
    const text = renderVerdicts(judge(journal(admitted(45, 1_000_000))), 'results/tour');
    const lines = text.split('\n');
    expect(lines[0]).toBe('rate: violated (over-admission)');
    expect(lines[1]).toMatch(
      /^ {2}41 requests were admitted within 40.1 s; no reading of 20 per 60 s admits more than 40$/,
    );
    expect(lines[3]).toMatch(/^ {2}between \d+\.000 s and \d+\.000 s of the run$/);
    expect(lines[4]).toMatch(/^ {2}exchanges: (\d+ ?){41}$/);
    expect(lines[5]).toBe('  show it again: spillway check results/tour');
  });
});
