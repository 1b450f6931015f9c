import type { LimitName } from '../api/index.ts';
import { ExitCode, SpillwayError } from '../base/index.ts';
import {
  type ClockRecord,
  type Exchange,
  type Header,
  type JournalRecord,
  profileWords,
  type StreamRecord,
} from '../history/index.ts';
import type { Certificate, ExchangeRef } from './certificates/certificate.ts';
import { SeenSequences } from './evidence/columns.ts';
import type { Evidence } from './evidence/evidence.ts';
import { timelineOf } from './evidence/timeline.ts';
import type { LimitVerdict, Verdicts } from './verdict.ts';
import { isAsCounted } from './verify/as-counted.ts';
import { verifies } from './verify/certificate.ts';
import { misplaced } from './verify/places.ts';
import { type Stamped, stampsOf } from './verify/raw/buckets.ts';
import { RawLedger } from './verify/raw/ledger.ts';
import { decidedWithin, refOfExchange } from './verify/raw/raw.ts';
import type { RawHistory } from './verify/raw/raw-history.ts';
import { Restamped } from './verify/raw/restamp.ts';

/** What was collected during the first reading of the records. */
export interface Folded {
  readonly evidence: Evidence;
  readonly ledger: RawLedger;
}

/**
 * Evaluates the rule of every certificate again, from the raw records and without code of the readings, and recomputes everything
 * that it prints. Accusations (a violation with everything it rests on, a wrongful refusal, a finding that rests on a proof) are
 * verified from a second reading of the whole history. A certificate of the rate limit that only rules out a reading of a limit
 * that is not violated accuses nobody, and is verified from what was kept during the first reading.
 * @param records read again for accusations, and for certificates of the concurrency limit and the day quota
 * @throws SpillwayError CERTIFICATE_INVALID if one does not hold: a defect of this tool, and nothing is accused
 */
export function verify(verdicts: Verdicts, folded: Folded, records: () => Iterable<JournalRecord>): void {
  const { accusing, telling } = certificatesOf(verdicts);
  const all = [...accusing, ...telling];
  if (all.length === 0) return;
  const other = misplaced(verdicts, folded.evidence.header);
  if (other) throw invalid(other);
  const again = readAgain(all, accusing, folded.evidence.header, records);
  if (accusing.length > 0) verifyAll(accusing, historyOf(all, folded, again, again?.attempts));
  if (telling.length > 0) verifyAll(telling, historyOf(all, folded, again));
}

function verifyAll(certificates: readonly Certificate[], history: RawHistory): void {
  for (const certificate of certificates)
    if (!verifies(certificate, history) || !isAsCounted(certificate, history)) throw invalid(certificate);
}

const invalid = ({ claim, rule }: Certificate) =>
  new SpillwayError(
    'CERTIFICATE_INVALID',
    `the proof "${claim}" (${rule}) does not hold against the history; nothing is accused. This is a defect of spillway: please report it with the history`,
    ExitCode.toolDefect,
  );

function certificatesOf({ limits, refusals, findings }: Verdicts): { accusing: Certificate[]; telling: Certificate[] } {
  const refuted = ({ readings }: LimitVerdict) =>
    readings.flatMap((reading) => (reading.state === 'refuted' ? [reading.certificate] : []));
  const accusing = [
    ...limits.flatMap((limit) => (limit.verdict === 'violated' ? [limit.certificate, ...refuted(limit)] : [])),
    ...refusals.wrongful.flatMap(({ certificates }) => certificates),
    ...findings.flatMap(({ certificates = [] }) => certificates),
  ];
  const telling = limits.flatMap((limit) => (limit.verdict === 'violated' ? [] : refuted(limit)));
  return { accusing: [...new Set(accusing)], telling: [...new Set(telling)] };
}

/** What the verifier keeps of every exchange, and when they were sent and by whom. */
interface KeptAttempts {
  readonly ledger: RawLedger;
  readonly stamped: Stamped;
}

/** What was taken from the records in the second reading. `attempts`: only if the rate limit is accused. */
interface Again extends Kept {
  readonly attempts?: KeptAttempts;
}

/** `undefined` if no second reading is needed. */
function readAgain(
  all: readonly Certificate[],
  accusing: readonly Certificate[],
  header: Header,
  records: () => Iterable<JournalRecord>,
): Again | undefined {
  const others = new Set(all.map(({ limit }) => limit).filter((limit) => limit !== 'rate'));
  const isAccused = accusing.some(({ limit }) => limit === 'rate');
  if (others.size === 0 && !isAccused) return undefined;
  const [ledger, stamps] = [new RawLedger(profileWords(header.profile)), new Restamped(header)];
  const kept = keptOf(records(), others, (record) => {
    if (!isAccused) return;
    ledger.add(record);
    stamps.add(record);
  });
  return isAccused ? { ...kept, attempts: { ledger, stamped: stamps.finish() } } : kept;
}

/** The history with which these certificates are verified as accusations. */
export function rawHistory(
  certificates: readonly Certificate[],
  folded: Folded,
  records: () => Iterable<JournalRecord>,
): RawHistory {
  const { header } = folded.evidence;
  const again = readAgain(certificates, certificates, header, records);
  return historyOf(certificates, folded, again, again?.attempts);
}

/** @param kept what is known of every attempt; absent: what the first reading kept */
function historyOf(
  certificates: readonly Certificate[],
  { evidence, ledger }: Folded,
  again: Again | undefined,
  kept: KeptAttempts = { ledger, stamped: stampsOf(evidence) },
): RawHistory {
  const { header } = evidence;
  const words = profileWords(header.profile);
  const { mayLackRecords } = evidence.timeline;
  const timeline = again
    ? timelineOf(again.clocks, { driftPpm: header.clock.driftPpm, mayLackRecords })
    : evidence.timeline;
  const named = new Set(certificates.flatMap(namedBy));
  const attempts = kept.ledger.finish(kept.stamped, header, timeline, named);
  return {
    header,
    words,
    timeline,
    complete: attempts.complete,
    withCodes: attempts.withCodes,
    attempts,
    streams: again?.streams ?? [],
    exchanges: (again?.exchanges ?? []).map((exchange) => {
      const ref = refOfExchange(exchange);
      const doubted = again?.twice.has(ref) === true;
      return { ref, exchange, doubted, decided: decidedWithin(exchange, header, timeline, doubted) };
    }),
  };
}

const namedBy = (certificate: Certificate): readonly ExchangeRef[] => {
  const arcs = 'arcs' in certificate ? certificate.arcs : [];
  const refusals = arcs.flatMap((arc) => (arc.says === 'no-boundary-within' ? [arc.refusal] : []));
  return [...certificate.exchanges, ...('refusal' in certificate ? [certificate.refusal] : []), ...refusals];
};

interface Kept {
  readonly exchanges: readonly Exchange[];
  readonly streams: readonly StreamRecord[];
  readonly clocks: readonly ClockRecord[];
  readonly twice: ReadonlySet<ExchangeRef>;
}

/** The messages, and what was seen of their turns, in the second reading. @param show called with every record */
function keptOf(
  records: Iterable<JournalRecord>,
  limits: ReadonlySet<LimitName>,
  show: (record: JournalRecord) => void,
): Kept {
  const turns = limits.has('concurrency');
  const [exchanges, streams, clocks]: [Exchange[], StreamRecord[], ClockRecord[]] = [[], [], []];
  const seen = new SeenSequences();
  const twice = new Set<ExchangeRef>();
  for (const record of records) {
    show(record);
    if (record.kind === 'clock') clocks.push(record);
    if (record.kind === 'stream' && turns) streams.push(record);
    if (record.kind !== 'exchange') continue;
    if (!seen.add(record.worker ?? 0, record.seq)) twice.add(refOfExchange(record));
    const { operation } = record;
    if (limits.size === 0) continue;
    // A record that names a turn may be doubtful.
    if (operation === 'sendMessage' || (turns && record.turn !== undefined)) exchanges.push(record);
  }
  return { exchanges, streams, clocks, twice };
}
