import { inertText } from '../../base/index.ts';
import type { Measurements, NamedHistogram } from '../../collect/index.ts';
import type { Header } from '../../history/index.ts';
import type { Export, Exporter } from './exporter.ts';

const seconds = (us: number): string => (us / 1_000_000).toFixed(3);
const milliseconds = (us: number): string => (us / 1_000).toFixed(3);

/**
 * Replaces commas and white space, which are separators of the log format, because tags contain names of journeys and
 * applications.
 */
const tagText = (tag: string): string => inertText(tag).replace(/[,\s]/g, '_');

/** One line per histogram: it covers the run from the end of the warm-up. */
function line(histogram: NamedHistogram, fromUs: number, toUs: number): string {
  const fields = [
    seconds(fromUs),
    seconds(Math.max(0, toUs - fromUs)),
    milliseconds(histogram.distribution.maxUs),
    histogram.encode(),
  ];
  return `Tag=${tagText(histogram.tag)},${fields.join(',')}\n`;
}

function* log(header: Header | undefined, measured: Measurements): Generator<string> {
  const { warmUpUs, durationUs } = measured.summary().run;
  yield '#[Histogram log format version 1.3]\n';
  // ISO 8601, because the format of the library's writer depends on the machine's time zone.
  if (header)
    yield `#[StartTime: ${(Date.parse(header.startedAt) / 1_000).toFixed(3)} (seconds since epoch), ${inertText(header.startedAt)}]\n`;
  yield '"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"\n';
  for (const histogram of measured.histograms()) yield line(histogram, warmUpUs, durationUs);
}

/**
 * `latency.hlog`: every latency distribution as an HdrHistogram log (format 1.3, V2 compressed), one tag per metric. Values
 * are in microseconds; Interval_Max is in milliseconds, as in all writers of the format.
 */
export const latencyHlog: Exporter = {
  file: 'latency.hlog',
  holds: 'every distribution in full, as an HdrHistogram log: one line and one tag per metric; values are microseconds',
  columns: [
    {
      name: 'Tag',
      meaning:
        'Metric and the values of its tags, joined by dots: http_req_duration.sendMessage.success. A comma or white space in it is `_`',
    },
    { name: 'StartTimestamp', unit: 's', meaning: 'End of the warm-up, since StartTime (the start of the run)' },
    { name: 'Interval_Length', unit: 's', meaning: 'From there to the end of the run' },
    { name: 'Interval_Max', unit: 'ms', meaning: 'Highest value' },
    { name: 'Interval_Compressed_Histogram', meaning: 'Histogram of microseconds, V2 compressed encoding, base64' },
  ],
  open(): Export {
    let header: Header | undefined;
    return {
      add(record) {
        if (record.kind === 'header') header = record;
        return '';
      },
      finish: (measured) => log(header, measured),
    };
  },
};
