import type { LimitName } from '../api/index.ts';
import { ExitCode, SpillwayError } from '../base/index.ts';
import {
  type ClockRecord,
  type EndRecord,
  type Exchange,
  type Header,
  type JournalRecord,
  profileWords,
  type StreamRecord,
} from '../history/index.ts';
import type { Certificate, ExchangeRef } from './certificate.ts';
import { SeenSequences } from './columns.ts';
import { timelineOf } from './timeline.ts';
import type { Verdicts } from './verdict.ts';
import { type RawHistory, verifies } from './verify/certificate.ts';
import { decidedWithin, refOfExchange } from './verify/raw.ts';
import { RivalFold } from './verify/raw-rivals.ts';

/**
 * Evaluates the rule of every certificate again, from the raw records and with no code of the readings. What a certificate of a
 * wrongful refusal says is counted again from the whole history.
 * @throws SpillwayError CERTIFICATE_INVALID when one does not hold: a defect of this tool, and nothing is accused
 */
export function verify(verdicts: Verdicts, header: Header, records: () => Iterable<JournalRecord>): void {
  const certificates = certificatesOf(verdicts);
  if (certificates.length === 0) return;
  const history = rawHistory(certificates, header, records());
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

/** Keeps the exchanges that are named, and of all others what a refusal must be counted again with. */
function rawHistory(
  certificates: readonly Certificate[],
  header: Header,
  records: Iterable<JournalRecord>,
): RawHistory {
  const words = profileWords(header.profile);
  const named = new Set<ExchangeRef>(
    certificates.flatMap((one) => ('refusal' in one ? [...one.exchanges, one.refusal] : one.exchanges)),
  );
  const rivals = new RivalFold(certificates, header, words);
  const of = (limit: LimitName) => certificates.some((one) => one.limit === limit);
  const [turns, messages] = [of('concurrency'), of('daily')];
  const streams: StreamRecord[] = [];
  const kept: Exchange[] = [];
  const clocks: ClockRecord[] = [];
  const seen = new SeenSequences();
  const twice = new Set<ExchangeRef>();
  let exchanges = 0;
  let end: EndRecord | undefined;
  for (const record of records) {
    if (record.kind === 'clock') clocks.push(record);
    if (record.kind === 'end') end = record;
    if (record.kind === 'stream' && turns) streams.push(record);
    if (record.kind !== 'exchange') continue;
    exchanges += 1;
    const ref = refOfExchange(record);
    const { operation } = record;
    const sent = (turns || messages) && operation === 'sendMessage';
    if (!seen.add(record.worker ?? 0, record.seq)) twice.add(ref);
    rivals.add(record);
    if (named.has(ref) || sent || (turns && operation === 'readTurn')) kept.push(record);
  }
  const timeline = timelineOf(clocks, header.clock.driftPpm);
  return {
    header,
    words,
    timeline,
    complete: end?.complete === true && end.exchanges === exchanges,
    streams,
    rivalsOf: rivals.finish(timeline, twice),
    exchanges: kept.map((exchange) => {
      const ref = refOfExchange(exchange);
      const doubted = twice.has(ref);
      return { ref, exchange, doubted, decided: decidedWithin(exchange, header, timeline, doubted) };
    }),
  };
}
