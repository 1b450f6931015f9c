import { PictureFold } from '../html/picture-fold.ts';
import { reportPage } from '../html/report-page.ts';
import type { Export, Exporter } from './exporter.ts';

/** File name in a run's folder. */
export const REPORT_FILE = 'report.html';

/** Maximum number of individually drawn exchanges; if there are more, the page says what is left out. */
const MOST_MARKS = 100_000;

/** `report.html`: the result and charts in one file that needs no network. */
export const reportHtml: Exporter = {
  file: REPORT_FILE,
  holds: 'the result and charts, as one self-contained page for any browser',
  columns: [
    {
      name: 'Answer',
      meaning: 'Each limit with its verdict and proof, each gate, findings, and whether the run is valid',
    },
    {
      name: 'Stage by stage',
      meaning: 'Counts and latency of each stage of the plan, and the knee; only with several stages',
    },
    {
      name: 'Journeys',
      meaning: 'Ends and duration of each journey of the scenario, and where it stopped; only with several journeys',
    },
    { name: 'Requests over time', meaning: 'Every exchange by outcome, windows of the rate limit, proofs as brackets' },
    {
      name: 'Turns in process',
      meaning: 'Turns as lanes, certain and possible, against the concurrency limit',
    },
    { name: 'Daily quota', meaning: 'Accepted messages over time against the quota' },
    { name: 'Latency', meaning: 'Percentiles of service and response time by operation' },
    { name: 'Latency over time', meaning: 'Heat map of the latencies of successes' },
    {
      name: 'Turn completion',
      meaning: 'Share of completed turns over time, according to the stream, polls and the service itself',
    },
    { name: 'Generator', meaning: 'Event loop, schedule lag and CPU of the generator' },
  ],
  open(judged): Export {
    const fold = new PictureFold({ document: judged?.document, mostMarks: MOST_MARKS });
    return {
      add(record) {
        fold.add(record);
        return '';
      },
      finish: (measured) => [reportPage(fold, measured, judged)],
    };
  },
};
