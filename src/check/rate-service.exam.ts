import { TargetProfileSchema } from '../api/index.ts';
import { type Micros, seededRandom } from '../base/index.ts';
import type { Exchange, Header, JournalRecord } from '../history/index.ts';
import { end, exchange, header, written } from '../testing/history/sample-records.ts';
import type { MakeHonest } from './readings/honest-limiters.exam.ts';

/** Whole journals of a service with a rate limit, for tests of the judge from record to verdict. */

export interface RateService {
  /** Whose requests share a bucket; default: `application`. */
  readonly scope?: 'application' | 'user' | 'token' | 'address';
  /** Error code of its refusals; absent: one that the profile does not know. */
  readonly code?: string;
  readonly max: number;
  readonly windowUs: number;
  /** Requests attempted per window, on average. */
  readonly pressure: number;
  readonly requests: number;
  readonly reading?: string;
  /** Members of the header to replace. */
  readonly header?: Partial<Header>;
}

/** A journal of random traffic against one of the exams' own limiters. */
export function rateJournal(make: MakeHonest, service: RateService, seed: number): JournalRecord[] {
  const random = seededRandom(seed, 'rate journal');
  const { max, windowUs, pressure, requests, scope = 'application', code } = service;
  const limiters = new Map<string, ReturnType<MakeHonest>>();
  const phase = random.integer(windowUs);
  const meanGap = windowUs / pressure;
  const longest = (windowUs * random.integer(4)) / 20;
  let at = 0;
  const exchanges = Array.from({ length: requests }, (): Omit<Exchange, 'seq'> => {
    at += Math.round(random.next() < 0.5 ? 0 : -Math.log(1 - random.next()) * meanGap * 2);
    const [user, application] = [`u${random.integer(2)}`, random.next() < 0.9 ? 'a1' : 'a2'];
    // One for users of the same number in both applications, as a service may give it.
    const token = `${user}-${random.integer(2)}`;
    const bucket = { application, user: `${application} ${user}`, token, address: '' }[scope];
    const limiter = limiters.get(bucket) ?? make(max, windowUs, phase);
    limiters.set(bucket, limiter);
    const early = random.integer(longest + 1);
    const times = { sentAt: Math.max(0, at - early), headersAt: at + random.integer(longest + 1) };
    const fate = random.next();
    const admit = fate < 0.02 || limiter.decide(at);
    return asExchange({ application, user, token }, times, admit, fate, code);
  });
  const sorted = exchanges.sort((a, b) => a.sentAt - b.sentAt).map((one, seq) => ({ ...one, seq }));
  return [
    journalHeader(service),
    { kind: 'clock', at: 0 as Micros, serviceUs: 1_795_262_400_000_000 as Micros, plusMinusUs: 0 as Micros, rate: 1 },
    ...sorted,
    end({ exchanges: sorted.length, at: (at + longest) as Micros }),
  ];
}

function journalHeader({ max, windowUs, reading = 'unknown', scope, header: members }: RateService): Header {
  const rate = { ...written.rate, max, reading, ...(scope && { scope }) };
  return header({
    profile: TargetProfileSchema.parse({ errorCodes: { known: true }, limits: { rate } }),
    limits: {
      rate: { max, windowUs: windowUs as Micros, reading },
      concurrency: { max: 2 },
      daily: { max: 50 },
    },
    clock: { driftPpm: 0, granularityUs: 0 as Micros, maxServerDelayUs: (windowUs * 2) as Micros },
    ...members,
  });
}

function asExchange(
  labels: Pick<Exchange, 'application' | 'user' | 'token'>,
  { sentAt, headersAt }: { readonly sentAt: number; readonly headersAt: number },
  admit: boolean,
  fate: number,
  code: string | undefined,
): Omit<Exchange, 'seq'> {
  const times = { sentAt: sentAt as Micros, headersAt: headersAt as Micros, receivedAt: headersAt as Micros };
  const base = exchange({ seq: 0, ...labels, conversation: 'c1', ...times });
  if (fate < 0.02) return { ...base, status: 401, error: { code: 'unauthorized', retryable: false, requestId: '' } };
  if (fate < 0.04) {
    const { headersAt: _, status: __, ...unanswered } = base;
    return { ...unanswered, outcome: 'failed', failure: 'ECONNRESET' };
  }
  if (admit) return base;
  const error = { code: code ?? 'too_many', retryable: true, requestId: '' };
  return { ...base, outcome: 'refused', status: 429, error };
}
