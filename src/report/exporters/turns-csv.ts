import type { TurnRow } from '../../collect/index.ts';
import { columnsOf, rowsAtTheEnd } from './csv.ts';
import type { Exporter } from './exporter.ts';

const columns = columnsOf<TurnRow>({
  turn: { name: 'turn', meaning: 'Id of the turn' },
  application: {
    name: 'application',
    meaning: 'Label of the partner application; empty if the acceptance is not in the history',
  },
  user: { name: 'user', meaning: 'Label of the user; empty as above' },
  conversation: { name: 'conversation', meaning: 'Id of the conversation; empty as above' },
  journey: { name: 'journey', meaning: 'Name of the journey that sent the message; empty as above' },
  arrival: { name: 'arrival', meaning: 'Index of the arrival; empty as above' },
  message: { name: 'client_message_id', meaning: 'Identifier of the message; empty as above' },
  warmUp: {
    name: 'warm_up',
    meaning: 'true if the message was intended within the warm-up: not included in any metric',
  },
  state: { name: 'state', meaning: 'completed, failed, or unfinished (not seen to finish)' },
  acceptSentAt: {
    name: 'accept_sent_us',
    unit: 'µs',
    meaning:
      'The service accepted it after this: when its message was sent, or an earlier attempt at it that may have been accepted; empty as above…',
  },
  acceptHeadersAt: { name: 'accept_headers_us', unit: 'µs', meaning: '…and before this' },
  finishedBy: {
    name: 'finished_by',
    meaning:
      'What showed the end first: poll, stream or message (the answer to the message itself); empty if nothing did',
  },
  finishedObservedAt: {
    name: 'finished_observed_us',
    unit: 'µs',
    meaning:
      'When the client observed the end: the headers of the answer, or the event, that showed it; empty if nothing did',
  },
  finishedAfter: {
    name: 'finished_after_us',
    unit: 'µs',
    meaning:
      'The service finished it after this; empty if nothing showed the end, or if the acceptance is not in the history and no poll saw it open…',
  },
  finishedBefore: { name: 'finished_before_us', unit: 'µs', meaning: '…and before this' },
  seenByPollAt: {
    name: 'seen_by_poll_us',
    unit: 'µs',
    meaning: 'When a poll first saw it finished; empty if none did',
  },
  seenByStreamAt: {
    name: 'seen_by_stream_us',
    unit: 'µs',
    meaning: 'When the stream showed that it was finished; empty if it did not',
  },
  completionUs: {
    name: 'completion_us',
    unit: 'µs',
    meaning:
      'From the acceptance to the end as observed: finished_observed_us − accept_headers_us; for failed turns too, which the metric turn_completion leaves out. Empty without an observed end, and if it is unknown which attempt was accepted (accept_sent_us is then that of an earlier attempt)',
  },
  completionLeastUs: {
    name: 'completion_least_us',
    unit: 'µs',
    meaning:
      'The shortest time that the service can have taken, if it completed and a poll showed that first: until the last poll that saw it open was sent; empty otherwise…',
  },
  completionMostUs: {
    name: 'completion_most_us',
    unit: 'µs',
    meaning: '…and the longest; server_latency_ms is what the service itself reports',
  },
  firstEventUs: {
    name: 'first_event_us',
    unit: 'µs',
    meaning:
      'From the acceptance to the first event of the stream; empty without one, or if completion_us cannot be known',
  },
  firstDeltaUs: {
    name: 'first_delta_us',
    unit: 'µs',
    meaning: 'From the acceptance to the first part of the answer; empty likewise',
  },
  polls: { name: 'polls', meaning: 'Reads of its status' },
  streamEvents: { name: 'stream_events', meaning: 'Events of its stream' },
  serverLatencyMs: {
    name: 'server_latency_ms',
    unit: 'ms',
    meaning: 'metadata.latency_ms as the service reports it, on its own clock; empty without one from 0 to 10^12',
  },
  regressed: { name: 'regressed', meaning: 'true if it was seen open after it had been seen finished' },
});

/** `turns.csv`: one row per turn, in the order of acceptance. */
export const turnsCsv: Exporter = {
  file: 'turns.csv',
  holds:
    'one row per turn, in the order of acceptance: when it was accepted, when it was seen to finish, and what showed it',
  columns,
  open: rowsAtTheEnd(columns, (measured) => measured.turns()),
};
