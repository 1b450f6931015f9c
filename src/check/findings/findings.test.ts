import { describe, expect, it } from 'vitest';
import { accepted, exchange, refused, us } from '../../testing/history/sample-records.ts';
import * as advice from './examples/advice.exam.ts';
import * as answers from './examples/answers.exam.ts';
import * as attribution from './examples/attribution.exam.ts';
import * as executed from './examples/executed-twice.exam.ts';
import * as fields from './examples/fields.exam.ts';
import * as history from './examples/history.exam.ts';
import * as replays from './examples/replays.exam.ts';
import * as turns from './examples/turns.exam.ts';
import * as usedIds from './examples/used-ids.exam.ts';
import { type Examples, findingsIn, journalOf, sitFindingExam } from './finding.exam.ts';
import { type FindingName, findingKinds } from './registry.ts';

/** A kind without examples does not compile. */
const examples: Readonly<Record<FindingName, Examples>> = {
  'replay-charged': replays.replayCharged,
  'replay-refused': replays.replayRefused,
  'message-executed-twice': executed.messageExecutedTwice,
  'message-of-two-turns': executed.messageOfTwoTurns,
  'other-content-accepted': usedIds.otherContentAccepted,
  'turn-of-another-message': usedIds.turnOfAnotherMessage,
  'turn-went-back': turns.turnWentBack,
  'turn-ended-twice': turns.turnEndedTwice,
  'turn-without-result': turns.turnWithoutResult,
  'turn-result-changed': turns.turnResultChanged,
  'turn-of-another-conversation': turns.turnOfAnotherConversation,
  'conversation-of-another-id': answers.conversationOfAnotherId,
  'stream-and-poll-disagree': turns.streamAndPollDisagree,
  'stream-out-of-sequence': turns.streamOutOfSequence,
  'stream-event-after-end': turns.streamEventAfterEnd,
  'history-message-missing': history.historyMessageMissing,
  'history-message-twice': history.historyMessageTwice,
  'history-out-of-order': history.historyOutOfOrder,
  'history-role': history.historyRole,
  'history-page-too-long': history.historyPageTooLong,
  'rating-not-taken': answers.ratingNotTaken,
  'error-envelope-incomplete': answers.errorEnvelopeIncomplete,
  'mapping-contradicted': attribution.mappingContradicted,
  'code-unmapped': attribution.codeUnmapped,
  'retry-after-too-early': advice.retryAfterTooEarly,
  'retry-after-too-late': advice.retryAfterTooLate,
  'retry-after-longer-than-window': advice.retryAfterLongerThanWindow,
  'retry-after-does-not-count-down': advice.retryAfterDoesNotCountDown,
  'retry-after-unreadable': advice.retryAfterUnreadable,
  'retry-after-absent': advice.retryAfterAbsent,
  'limit-field-malformed': fields.limitFieldMalformed,
  'limit-field-impossible': fields.limitFieldImpossible,
  'limit-policy-differs': fields.limitPolicyDiffers,
  'remaining-not-honoured': fields.remainingNotHonoured,
  'remaining-miscounted': fields.remainingMiscounted,
  'remaining-left-out': fields.remainingLeftOut,
};

describe.each(Object.keys(findingKinds) as FindingName[])('%s', (kind) => sitFindingExam(kind, examples[kind]));

describe('the list of findings', () => {
  const turn = (index: number) => [
    accepted(2 * index, `t${index}`, index * 10_000, index * 10_000 + 900),
    exchange({
      seq: 2 * index + 1,
      operation: 'readTurn',
      sentAt: us(index * 10_000 + 5_000),
      turn: { id: `t${index}`, status: 'completed' },
    }),
  ];
  const stories = Array.from({ length: 30 }, (_, index) => turn(index));
  const found = (order: typeof stories) =>
    findingsIn(journalOf({ because: '', records: order.flat() })).filter(({ kind }) => kind === 'turn-without-result');

  it('names the first twenty of a kind, and how many there are', () => {
    const listed = found(stories);
    expect(listed.map(({ exchanges }) => exchanges)).toEqual(Array.from({ length: 20 }, (_, index) => [2 * index + 1]));
    expect(listed.map(({ total }) => total)).toEqual(Array(20).fill(30));
  });

  it('does not depend on the order of the records', () => {
    expect(found([...stories].reverse())).toEqual(found(stories));
  });

  it('says nothing of a history without anything wrong', () => {
    expect(findingsIn(journalOf({ because: '', records: [] }))).toEqual([]);
  });

  it('goes by the reading that is declared instead of the one of the header', () => {
    const advised = refused(0, 0, 'rate_limited', { operation: 'readTurn', retryAfter: '240' });
    const found = (rate?: string) => {
      const records = journalOf({ because: '', records: [advised] });
      const kinds = findingsIn(records, rate === undefined ? {} : { rate }).map(({ kind }) => kind);
      return kinds.filter((kind) => kind === 'retry-after-longer-than-window');
    };
    expect(found()).toEqual(['retry-after-longer-than-window']);
    expect(found('fixed-window-penalty')).toEqual([]);
  });
});
