import { judge, weigh } from '../check/index.ts';
import { MetricSeries, measure } from '../collect/index.ts';
import { type GatesDocument, gateQueries, judgeGates } from '../gates/index.ts';
import type { JournalRecord } from '../history/index.ts';
import { type Gate, parseGate, plainOptions } from '../metrics/index.ts';
import type { VerdictsDocument } from './verdicts-json.ts';

const STOPPING = 'data_sent';

/** Gates that together give every kind of result on most runs. */
const gateTexts: readonly (readonly [name: string, threshold: string, windowMs?: number])[] = [
  ['http_req_duration', 'max<1'],
  ['http_req_duration{operation:sendMessage}', 'max<10000'],
  ['turn_completion', 'bound(p(90))<8000'],
  ['http_req_failed', 'bound(rate)<0.99'],
  ['http_reqs', 'rate>0.01', 2_000],
  ['http_req_duration', 'avg<1', 2_000],
  [STOPPING, 'count>1'],
  ['open_turns', 'value<=2'],
  ['limit.rate', 'held'],
  ['limit.daily', 'not violated'],
];

const gates: readonly Gate[] = gateTexts.map(([name, threshold, window]) => {
  const parsed = parseGate(name, threshold, {
    ...plainOptions,
    abortOnFail: name === STOPPING,
    ...(window !== undefined && { window: window as never }),
  });
  if ('value' in parsed) return parsed.value;
  throw new Error(`${name}: ${threshold} cannot be read`);
});

/** Measures and judges records in memory. */
export function judgedRun(records: readonly JournalRecord[]) {
  const measurements = measure();
  const series = new MetricSeries(gateQueries(gates.filter((gate) => gate.kind === 'metric')));
  for (const record of records) {
    measurements.add(record);
    series.add(record);
  }
  const judged = judge(records);
  const header = records.find((record) => record.kind === 'header');
  const verdicts: VerdictsDocument = { ...judged, ...weigh(judged, header?.profile) };
  const document: GatesDocument = judgeGates(
    { gates, unreadable: [{ name: '<b>\u001b[31m::error::', demand: '|=1+1' }] },
    [{ series, limits: judged.limits, stoppedBy: `${STOPPING}: count>1` }],
  );
  return { summary: measurements.summary(), verdicts, gates: document };
}
