import type { Examples } from '../finding.exam.ts';
import type { FindingName } from '../registry.ts';
import * as advice from './advice.exam.ts';
import * as answers from './answers.exam.ts';
import * as attribution from './attribution.exam.ts';
import * as executed from './executed-twice.exam.ts';
import * as fields from './fields.exam.ts';
import * as history from './history.exam.ts';
import * as missing from './history-missing.exam.ts';
import * as remaining from './remaining.exam.ts';
import * as replays from './replays.exam.ts';
import * as streams from './streams.exam.ts';
import * as turns from './turns.exam.ts';
import * as twoTurns from './two-turns.exam.ts';
import * as usedIds from './used-ids.exam.ts';

/** A kind without examples does not compile. */
export const examples: Readonly<Record<FindingName, Examples>> = {
  'replay-charged': replays.replayCharged,
  'replay-refused': replays.replayRefused,
  'message-executed-twice': executed.messageExecutedTwice,
  'message-of-two-turns': twoTurns.messageOfTwoTurns,
  'other-content-accepted': usedIds.otherContentAccepted,
  'turn-of-another-message': usedIds.turnOfAnotherMessage,
  'turn-went-back': turns.turnWentBack,
  'turn-ended-twice': turns.turnEndedTwice,
  'turn-without-result': turns.turnWithoutResult,
  'turn-result-changed': turns.turnResultChanged,
  'turn-of-another-conversation': turns.turnOfAnotherConversation,
  'conversation-of-another-id': answers.conversationOfAnotherId,
  'stream-and-poll-disagree': streams.streamAndPollDisagree,
  'stream-out-of-sequence': streams.streamOutOfSequence,
  'stream-event-after-end': streams.streamEventAfterEnd,
  'history-message-missing': missing.historyMessageMissing,
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
  'remaining-not-honoured': remaining.remainingNotHonoured,
  'remaining-miscounted': remaining.remainingMiscounted,
  'remaining-left-out': remaining.remainingLeftOut,
};
