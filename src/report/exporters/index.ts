import type { Exporter } from './exporter.ts';
import { intervalsCsv } from './intervals-csv.ts';
import { latencyCsv } from './latency-csv.ts';
import { latencyHlog } from './latency-hlog.ts';
import { reportHtml } from './report-html.ts';
import { requestsCsv } from './requests-csv.ts';
import { requestsJtl } from './requests-jtl.ts';
import { stagesCsv } from './stages-csv.ts';
import { summaryJson } from './summary-json.ts';
import { turnsCsv } from './turns-csv.ts';

/** All files that are made from the journal, in the order of the README. To add one, add a file and a line here. */
export const exporters = {
  summary: summaryJson,
  requests: requestsCsv,
  intervals: intervalsCsv,
  turns: turnsCsv,
  stages: stagesCsv,
  latencies: latencyCsv,
  latency: latencyHlog,
  report: reportHtml,
} as const satisfies Readonly<Record<string, Exporter>>;

/** Optional formats of `requests.csv`, by their names on the command line. */
export const csvFormats = { jtl: requestsJtl } as const satisfies Readonly<Record<string, Exporter>>;
export type CsvFormat = keyof typeof csvFormats;
export const csvFormatNames = Object.keys(csvFormats) as readonly CsvFormat[];
