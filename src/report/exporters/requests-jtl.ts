import { operations } from '../../api/index.ts';
import type { Exchange } from '../../history/index.ts';
import { type CsvColumn, column, rowPerExchange } from './csv.ts';
import type { Exporter } from './exporter.ts';
import { type RequestRow, requestFacts } from './request-row.ts';

/** Input of a row of JTL. */
interface JtlRow extends RequestRow {
  /** Wall clock at run time 0, milliseconds since 1970. */
  readonly startedAtMs: number;
}

const millis = (us: number): number => Math.max(0, Math.round(us / 1_000));

const isUsable = ({ status, operation, bodyProblem }: Exchange, words: RequestRow['words']): boolean =>
  status !== undefined && words.success[operation].includes(status) && bodyProblem === undefined;

const isSuccess = ({ exchange, words }: RequestRow): boolean =>
  exchange.outcome === 'answered' &&
  (exchange.expect?.namedStatus === true || isUsable(exchange, words)) &&
  (exchange.expect?.unmet ?? []).length === 0;

const whyNot = ({ failure, bodyProblem, expect, error }: Exchange): string | undefined =>
  failure ?? bodyProblem ?? expect?.unmet[0] ?? error?.code;

/** JMeter's default columns, with its names and order; readers identify them by the header line. */
const columns: readonly CsvColumn<JtlRow>[] = [
  column(
    'timeStamp',
    'When it was sent, since 1970',
    ({ exchange, startedAtMs }) => startedAtMs + Math.round(exchange.sentAt / 1_000),
    'ms',
  ),
  column('elapsed', 'Service time', ({ exchange }) => millis(exchange.receivedAt - exchange.sentAt), 'ms'),
  column('label', 'Operation', ({ exchange }) => exchange.operation),
  column(
    'responseCode',
    "HTTP status; if there is none, JMeter's text with the failure",
    ({ exchange }) => exchange.status ?? `Non HTTP response code: ${exchange.failure ?? 'none'}`,
  ),
  column('responseMessage', 'code of the error envelope; empty without one', ({ exchange }) => exchange.error?.code),
  column(
    'threadName',
    'Name of the journey, and 1-N for the Nth arrival, which is N − 1 in requests.csv',
    ({ exchange }) => `${exchange.journey} 1-${exchange.arrival + 1}`,
  ),
  column('dataType', 'Always text', () => 'text'),
  column(
    'success',
    'true for a success status with a usable body, or an error status that the step expects, with no expectation unmet; false for a 429, even an expected one',
    isSuccess,
  ),
  column('failureMessage', 'Why it is not a success; empty for a success', (row) =>
    isSuccess(row) ? undefined : whyNot(row.exchange),
  ),
  column('bytes', 'Received', ({ exchange }) => exchange.bytes.received, 'bytes'),
  column('sentBytes', 'Sent', ({ exchange }) => exchange.bytes.sent, 'bytes'),
  column('grpThreads', 'Always 1, because there are no threads', () => 1),
  column('allThreads', 'Always 1, because there are no threads', () => 1),
  column(
    'URL',
    'Path of the operation, with names for its parameters',
    ({ exchange }) => operations[exchange.operation].path,
  ),
  column(
    'Latency',
    'From sending to the end of the headers; 0 if they were not received',
    ({ exchange }) => (exchange.headersAt === undefined ? 0 : millis(exchange.headersAt - exchange.sentAt)),
    'ms',
  ),
  column('IdleTime', 'Always 0', () => 0, 'ms'),
  column('Connect', 'Always 0, because connections are opened in advance', () => 0, 'ms'),
];

/** `requests.jtl`: one row per exchange after the warm-up, in the format of JMeter's results; written only on request. */
export const requestsJtl: Exporter = {
  file: 'requests.jtl',
  holds:
    "one row per exchange after the warm-up, in JMeter's CSV (JTL), which many tools read; only with `--csv-format jtl`",
  columns,
  open: rowPerExchange(
    columns,
    (header) => ({ ...requestFacts(header), startedAtMs: Date.parse(header?.startedAt ?? '') || 0 }),
    ({ intendedAt }, { warmUpUs }) => intendedAt >= warmUpUs,
  ),
};
