import type { CapName } from '../../history/index.ts';
import { contents, outcome } from './answer-columns.ts';
import { column } from './csv.ts';
import type { RequestColumn } from './request-row.ts';

const wait = (cap: CapName, name: string, what: string): RequestColumn =>
  column(name, `Waited for ${what}; empty when it did not wait`, ({ exchange }) => exchange.capWaitUs?.[cap], 'µs');

/** Identification of the exchange. */
const identity: readonly RequestColumn[] = [
  column(
    'seq',
    'Number of the exchange, in the order of sending within its worker; worker and seq together are unique',
    ({ exchange }) => exchange.seq,
  ),
  column('worker', 'Generator worker; empty in a run with one', ({ exchange }) => exchange.worker),
  column(
    'operation',
    'API operation, or openStream for the handshake of a stream',
    ({ exchange }) => exchange.operation,
  ),
  column('application', 'Label of the partner application', ({ exchange }) => exchange.application),
  column('user', 'Label of the user', ({ exchange }) => exchange.user),
  column(
    'token',
    'Label of the user token, never the token; empty for issueToken and for requests without a token',
    ({ exchange }) => exchange.token,
  ),
  column(
    'conversation',
    'Id of the conversation that the request names; empty if it names none: a new conversation is named only if the client chose its id',
    ({ exchange }) => exchange.conversation,
  ),
  column('arrival', 'Index of the arrival whose journey sent it', ({ exchange }) => exchange.arrival),
  column('journey', 'Name of the journey', ({ exchange }) => exchange.journey),
  column('step', 'Index of the step in the order of execution, from 0', ({ exchange }) => exchange.step),
  column('attempt', '1 for the first try; a retry is a row of its own', ({ exchange }) => exchange.attempt),
  column(
    'warm_up',
    'true if it was intended within the warm-up: recorded, but not included in any metric',
    ({ exchange, warmUpUs }) => exchange.intendedAt < warmUpUs,
  ),
];

/** Times on the run's clock, and durations. */
const times: readonly RequestColumn[] = [
  column(
    'intended_us',
    'When it was intended to be sent, since the start of the run',
    ({ exchange }) => exchange.intendedAt,
    'µs',
  ),
  column('sent_us', 'When its bytes were handed to the socket', ({ exchange }) => exchange.sentAt, 'µs'),
  column(
    'headers_us',
    'When status line and headers were received; empty if they were not',
    ({ exchange }) => exchange.headersAt,
    'µs',
  ),
  column(
    'received_us',
    'When the last byte was received; for failed and censored, when the client noticed or gave up',
    ({ exchange }) => exchange.receivedAt,
    'µs',
  ),
  column(
    'service_us',
    'Service time: received_us − sent_us; for a censored exchange a lower bound',
    ({ exchange }) => exchange.receivedAt - exchange.sentAt,
    'µs',
  ),
  column(
    'response_us',
    'Response time: received_us − intended_us, which includes waits before sending',
    ({ exchange }) => exchange.receivedAt - exchange.intendedAt,
    'µs',
  ),
  wait('pace', 'wait_pace_us', 'the planned interval to the previous arrival (noCatchUp)'),
  wait('openTurns', 'wait_open_turns_us', 'the cap on open turns'),
  wait('requestsPerMinute', 'wait_requests_per_minute_us', 'the cap on requests per minute'),
  wait('token', 'wait_token_us', 'a token of the user being issued'),
  wait('inFlight', 'wait_in_flight_us', 'the cap on requests in flight'),
  wait('connection', 'wait_connection_us', 'a free connection of the pool'),
  column(
    'read_late_us',
    'How long before received_us the answer may have arrived: the generator stood still; empty: it went on',
    ({ exchange }) => exchange.readLateUs,
    'µs',
  ),
];

/** The columns of `requests.csv`, in the order of the file. */
export const requestColumns: readonly RequestColumn[] = [...identity, ...times, ...outcome, ...contents];
