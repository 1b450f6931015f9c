import type { CapName } from '../../history/index.ts';
import { contents, outcome } from './answer-columns.ts';
import type { RequestColumn } from './request-row.ts';

const wait = (cap: CapName, name: string, what: string): RequestColumn => ({
  name,
  unit: 'µs',
  meaning: `Waited for ${what}; empty when it did not wait`,
  value: ({ exchange }) => exchange.capWaitUs?.[cap],
});

/** Identification of the exchange. */
const identity: readonly RequestColumn[] = [
  {
    name: 'seq',
    meaning: 'Number of the exchange, in the order of sending within its worker; worker and seq together are unique',
    value: ({ exchange }) => exchange.seq,
  },
  { name: 'worker', meaning: 'Generator worker; empty in a run with one', value: ({ exchange }) => exchange.worker },
  {
    name: 'operation',
    meaning: 'API operation, or openStream for the handshake of a stream',
    value: ({ exchange }) => exchange.operation,
  },
  { name: 'application', meaning: 'Label of the partner application', value: ({ exchange }) => exchange.application },
  { name: 'user', meaning: 'Label of the user', value: ({ exchange }) => exchange.user },
  {
    name: 'token',
    meaning: 'Label of the user token, never the token; empty for issueToken and for requests without a token',
    value: ({ exchange }) => exchange.token,
  },
  {
    name: 'conversation',
    meaning:
      'Id of the conversation that the request names; empty if it names none: a new conversation is named only if the client chose its id',
    value: ({ exchange }) => exchange.conversation,
  },
  { name: 'arrival', meaning: 'Index of the arrival whose journey sent it', value: ({ exchange }) => exchange.arrival },
  { name: 'journey', meaning: 'Name of the journey', value: ({ exchange }) => exchange.journey },
  {
    name: 'step',
    meaning: 'Index of the step in the order of execution, from 0',
    value: ({ exchange }) => exchange.step,
  },
  {
    name: 'attempt',
    meaning: '1 for the first try; a retry is a row of its own',
    value: ({ exchange }) => exchange.attempt,
  },
  {
    name: 'warm_up',
    meaning: 'true if it was intended within the warm-up: recorded, but not included in any metric',
    value: ({ exchange, warmUpUs }) => exchange.intendedAt < warmUpUs,
  },
];

/** Times on the run's clock, and durations. */
const times: readonly RequestColumn[] = [
  {
    name: 'intended_us',
    unit: 'µs',
    meaning: 'When it was intended to be sent, since the start of the run',
    value: ({ exchange }) => exchange.intendedAt,
  },
  {
    name: 'sent_us',
    unit: 'µs',
    meaning: 'When its bytes were handed to the socket',
    value: ({ exchange }) => exchange.sentAt,
  },
  {
    name: 'headers_us',
    unit: 'µs',
    meaning: 'When the status line was received; empty if it was not',
    value: ({ exchange }) => exchange.headersAt,
  },
  {
    name: 'received_us',
    unit: 'µs',
    meaning: 'When the last byte was received; for failed and censored, when the client noticed or gave up',
    value: ({ exchange }) => exchange.receivedAt,
  },
  {
    name: 'service_us',
    unit: 'µs',
    meaning: 'Service time: received_us − sent_us; for a censored exchange a lower bound',
    value: ({ exchange }) => exchange.receivedAt - exchange.sentAt,
  },
  {
    name: 'response_us',
    unit: 'µs',
    meaning: 'Response time: received_us − intended_us, which includes waits before sending',
    value: ({ exchange }) => exchange.receivedAt - exchange.intendedAt,
  },
  wait('pace', 'wait_pace_us', 'the planned interval to the previous arrival (noCatchUp)'),
  wait('openTurns', 'wait_open_turns_us', 'the cap on open turns'),
  wait('requestsPerMinute', 'wait_requests_per_minute_us', 'the cap on requests per minute'),
  wait('token', 'wait_token_us', 'a token of the user being issued'),
  wait('inFlight', 'wait_in_flight_us', 'the cap on requests in flight'),
  wait('connection', 'wait_connection_us', 'a free connection of the pool'),
];

/** The columns of `requests.csv`, in the order of the file. */
export const requestColumns: readonly RequestColumn[] = [...identity, ...times, ...outcome, ...contents];
