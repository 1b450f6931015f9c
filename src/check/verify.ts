import type { LimitName } from '../api/index.ts';
import { ExitCode, SpillwayError } from '../base/index.ts';
import {
  type ClockRecord,
  type Exchange,
  type JournalRecord,
  profileWords,
  type StreamRecord,
} from '../history/index.ts';
import type { Certificate, ExchangeRef } from './certificate.ts';
import { SeenSequences } from './columns.ts';
import type { Evidence } from './evidence.ts';
import { timelineOf } from './timeline.ts';
import type { Verdicts } from './verdict.ts';
import { type RawHistory, verifies } from './verify/certificate.ts';
import type { RawLedger } from './verify/ledger.ts';
import { decidedWithin, refOfExchange } from './verify/raw.ts';

/** What was folded while the records went by the first time. */
export interface Folded {
  readonly evidence: Evidence;
  readonly ledger: RawLedger;
}

/**
 * Evaluates the rule of every certificate again, from the raw records and with no code of the readings. What a certificate of a
 * wrongful refusal says is counted again from the whole history.
 * @param records read again where a certificate of the concurrency limit or the day quota must be verified
 * @throws SpillwayError CERTIFICATE_INVALID when one does not hold: a defect of this tool, and nothing is accused
 */
export function verify(verdicts: Verdicts, folded: Folded, records: () => Iterable<JournalRecord>): void {
  const certificates = certificatesOf(verdicts);
  if (certificates.length === 0) return;
  const history = rawHistory(certificates, folded, records);
  for (const certificate of certificates) {
    if (verifies(certificate, history)) continue;
    throw new SpillwayError(
      'CERTIFICATE_INVALID',
      `the proof "${certificate.claim}" (${certificate.rule}) does not hold against the history; nothing is accused. This is a defect of spillway: please report it with the history`,
      ExitCode.toolDefect,
    );
  }
}

function certificatesOf(verdicts: Verdicts): Certificate[] {
  const all = [
    ...verdicts.limits.flatMap((limit) => (limit.verdict === 'violated' ? [limit.certificate] : [])),
    ...verdicts.limits.flatMap(({ readings }) =>
      readings.flatMap((reading) => (reading.state === 'refuted' ? [reading.certificate] : [])),
    ),
    ...verdicts.refusals.wrongful.flatMap(({ certificates }) => certificates),
  ];
  return [...new Set(all)];
}

export function rawHistory(
  certificates: readonly Certificate[],
  { evidence, ledger }: Folded,
  records: () => Iterable<JournalRecord>,
): RawHistory {
  const { header } = evidence;
  const words = profileWords(header.profile);
  const others = new Set(certificates.map(({ limit }) => limit).filter((limit) => limit !== 'rate'));
  const kept = others.size > 0 ? keptOf(records(), others) : nothingKept;
  const timeline = others.size > 0 ? timelineOf(kept.clocks, header.clock.driftPpm) : evidence.timeline;
  const named = new Set(certificates.flatMap(namedBy));
  const attempts = ledger.finish(evidence, header, timeline, named);
  return {
    header,
    words,
    timeline,
    complete: attempts.complete,
    attempts,
    streams: kept.streams,
    exchanges: kept.exchanges.map((exchange) => {
      const ref = refOfExchange(exchange);
      const doubted = kept.twice.has(ref);
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

const nothingKept: Kept = { exchanges: [], streams: [], clocks: [], twice: new Set() };

/** The messages, and what followed their turns, in records that are read again. */
function keptOf(records: Iterable<JournalRecord>, limits: ReadonlySet<LimitName>): Kept {
  const turns = limits.has('concurrency');
  const [exchanges, streams, clocks]: [Exchange[], StreamRecord[], ClockRecord[]] = [[], [], []];
  const seen = new SeenSequences();
  const twice = new Set<ExchangeRef>();
  for (const record of records) {
    if (record.kind === 'clock') clocks.push(record);
    if (record.kind === 'stream' && turns) streams.push(record);
    if (record.kind !== 'exchange') continue;
    if (!seen.add(record.worker ?? 0, record.seq)) twice.add(refOfExchange(record));
    const { operation } = record;
    if (operation === 'sendMessage' || (turns && operation === 'readTurn')) exchanges.push(record);
  }
  return { exchanges, streams, clocks, twice };
}
