import type { IntervalRow } from '../../collect/index.ts';
import { columnsOf, rowsAtTheEnd } from './csv.ts';
import type { Exporter } from './exporter.ts';

const columns = columnsOf<IntervalRow>({
  second: {
    name: 'second',
    unit: 's',
    meaning: 'Whole second since the start of the run: the row covers [second, second + 1)',
  },
  arrivals: { name: 'arrivals', meaning: 'Journeys that began in it and whose end is recorded' },
  sent: { name: 'sent', meaning: 'Exchanges sent in it' },
  success: { name: 'success', meaning: 'Exchanges that ended in it with a status of success and a usable body' },
  error: { name: 'error', meaning: 'Exchanges that ended in it with any other answer except 429' },
  refused: { name: 'refused', meaning: 'Exchanges that ended in it with 429' },
  failed: { name: 'failed', meaning: 'Exchanges that ended in it without an answer' },
  censored: { name: 'censored', meaning: 'Exchanges for which the client stopped waiting in it' },
  refusedRate: { name: 'refused_rate', meaning: '429s that name the rate limit' },
  refusedConcurrency: { name: 'refused_concurrency', meaning: '429s that name the concurrency limit' },
  refusedDaily: { name: 'refused_daily', meaning: '429s that name the daily quota' },
  refusedUnattributed: { name: 'refused_unattributed', meaning: '429s whose error code names no limit' },
  drops: {
    name: 'drops',
    meaning:
      'Arrivals intended in it that were never started; in the last row also those still to come when the run ended',
  },
  serviceMeanUs: {
    name: 'service_mean_us',
    unit: 'µs',
    meaning: 'Mean service time of the exchanges whose answer ended in it, 429s included; empty if there are none',
  },
  serviceMaxUs: { name: 'service_max_us', unit: 'µs', meaning: 'Longest service time of these; empty as above' },
  responseMeanUs: { name: 'response_mean_us', unit: 'µs', meaning: 'Mean response time of these; empty as above' },
  responseMaxUs: { name: 'response_max_us', unit: 'µs', meaning: 'Longest response time of these; empty as above' },
  capWaitUs: {
    name: 'cap_wait_us',
    unit: 'µs',
    meaning: 'Total wait of the exchanges sent in it, as in the columns wait_… of requests.csv',
  },
  openTurnsCertain: {
    name: 'open_turns_certain',
    meaning: 'Maximum number of turns that were certainly in process at one instant in it',
  },
  openTurnsPossible: {
    name: 'open_turns_possible',
    meaning: 'Maximum number of turns that were possibly in process at one instant in it',
  },
  bytesSent: { name: 'bytes_sent', unit: 'bytes', meaning: 'Sent by the exchanges that ended in it' },
  bytesReceived: { name: 'bytes_received', unit: 'bytes', meaning: 'Received by these' },
  eventLoopP99Us: {
    name: 'event_loop_p99_us',
    unit: 'µs',
    meaning:
      "The generator's own event-loop delay, 99th percentile, in the interval whose health record was written in it: about the second before; of several records or workers the highest; empty without a record",
  },
  gcUs: {
    name: 'gc_us',
    unit: 'µs',
    meaning: "The generator's garbage collection in the same interval; of several the sum; empty without a record",
  },
  cpuUs: { name: 'cpu_us', unit: 'µs', meaning: "The generator's CPU time, likewise" },
  backlog: {
    name: 'backlog',
    meaning: 'Records not yet on the disk at the end of that interval; of several the highest; empty without a record',
  },
});

/** `intervals.csv`: one row per second of the run, the warm-up included. */
export const intervalsCsv: Exporter = {
  file: 'intervals.csv',
  holds: 'one row per second of the run, the warm-up included, for charts',
  columns,
  open: rowsAtTheEnd(columns, (measured) => measured.intervals()),
};
