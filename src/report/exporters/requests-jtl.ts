import { operations } from '../../api/index.ts';
import { type Exchange, profileWords } from '../../history/index.ts';
import { type CsvColumn, CsvText } from './csv.ts';
import type { Export, Exporter } from './exporter.ts';
import type { RequestRow } from './request-row.ts';

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
  {
    name: 'timeStamp',
    unit: 'ms',
    meaning: 'When it was sent, since 1970',
    value: ({ exchange, startedAtMs }) => startedAtMs + Math.round(exchange.sentAt / 1_000),
  },
  {
    name: 'elapsed',
    unit: 'ms',
    meaning: 'Service time',
    value: ({ exchange }) => millis(exchange.receivedAt - exchange.sentAt),
  },
  { name: 'label', meaning: 'Operation', value: ({ exchange }) => exchange.operation },
  {
    name: 'responseCode',
    meaning: "HTTP status; if there is none, JMeter's text with the failure",
    value: ({ exchange }) => exchange.status ?? `Non HTTP response code: ${exchange.failure ?? 'none'}`,
  },
  {
    name: 'responseMessage',
    meaning: 'code of the error envelope; empty without one',
    value: ({ exchange }) => exchange.error?.code,
  },
  {
    name: 'threadName',
    meaning: 'Name of the journey, and 1-N for the Nth arrival, which is N − 1 in requests.csv',
    value: ({ exchange }) => `${exchange.journey} 1-${exchange.arrival + 1}`,
  },
  { name: 'dataType', meaning: 'Always text', value: () => 'text' },
  {
    name: 'success',
    meaning:
      'true for a success status with a usable body, or a status that the step expects, with no expectation unmet',
    value: isSuccess,
  },
  {
    name: 'failureMessage',
    meaning: 'Why it is not a success; empty for a success',
    value: (row) => (isSuccess(row) ? undefined : whyNot(row.exchange)),
  },
  { name: 'bytes', unit: 'bytes', meaning: 'Received', value: ({ exchange }) => exchange.bytes.received },
  { name: 'sentBytes', unit: 'bytes', meaning: 'Sent', value: ({ exchange }) => exchange.bytes.sent },
  { name: 'grpThreads', meaning: 'Always 1, because there are no threads', value: () => 1 },
  { name: 'allThreads', meaning: 'Always 1, because there are no threads', value: () => 1 },
  {
    name: 'URL',
    meaning: 'Path of the operation, with names for its parameters',
    value: ({ exchange }) => operations[exchange.operation].path,
  },
  {
    name: 'Latency',
    unit: 'ms',
    meaning: 'From sending to the status line; 0 if it was not received',
    value: ({ exchange }) => (exchange.headersAt === undefined ? 0 : millis(exchange.headersAt - exchange.sentAt)),
  },
  { name: 'IdleTime', unit: 'ms', meaning: 'Always 0', value: () => 0 },
  { name: 'Connect', unit: 'ms', meaning: 'Always 0, because connections are opened in advance', value: () => 0 },
];

/** `requests.jtl`: one row per exchange after the warm-up, in the format of JMeter's results; written only on request. */
export const requestsJtl: Exporter = {
  file: 'requests.jtl',
  holds:
    "one row per exchange after the warm-up, in JMeter's CSV (JTL), which many tools read; only with `--csv-format jtl`",
  columns,
  open(): Export {
    const csv = new CsvText(columns);
    let facts: Omit<JtlRow, 'exchange'> = { warmUpUs: 0, words: profileWords(undefined), startedAtMs: 0 };
    return {
      add(record) {
        if (record.kind === 'header') {
          facts = {
            warmUpUs: record.warmUpUs,
            words: profileWords(record.profile),
            startedAtMs: Date.parse(record.startedAt) || 0,
          };
        }
        const isWanted = record.kind === 'exchange' && record.intendedAt >= facts.warmUpUs;
        return isWanted ? csv.row({ exchange: record, ...facts }) : '';
      },
      finish: () => [csv.rest()],
    };
  },
};
