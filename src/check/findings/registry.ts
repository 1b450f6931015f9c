import { retryAfterAbsent } from './advice/retry-after-absent.ts';
import { retryAfterDoesNotCountDown } from './advice/retry-after-does-not-count-down.ts';
import { retryAfterLongerThanWindow } from './advice/retry-after-longer-than-window.ts';
import { retryAfterTooEarly } from './advice/retry-after-too-early.ts';
import { retryAfterTooLate } from './advice/retry-after-too-late.ts';
import { retryAfterUnreadable } from './advice/retry-after-unreadable.ts';
import { conversationOfAnotherId } from './answers/conversation-of-another-id.ts';
import { errorEnvelopeIncomplete } from './answers/error-envelope-incomplete.ts';
import { ratingNotTaken } from './answers/rating-not-taken.ts';
import { codeUnmapped } from './attribution/code-unmapped.ts';
import { mappingContradicted } from './attribution/mapping-contradicted.ts';
import { limitFieldImpossible } from './fields/limit-field-impossible.ts';
import { limitFieldMalformed } from './fields/limit-field-malformed.ts';
import { limitPolicyDiffers } from './fields/limit-policy-differs.ts';
import { remainingLeftOut } from './fields/remaining-left-out.ts';
import { remainingMiscounted } from './fields/remaining-miscounted.ts';
import { remainingNotHonoured } from './fields/remaining-not-honoured.ts';
import { historyMessageMissing } from './history/history-message-missing.ts';
import { historyMessageTwice } from './history/history-message-twice.ts';
import { historyOutOfOrder } from './history/history-out-of-order.ts';
import { historyPageTooLong } from './history/history-page-too-long.ts';
import { historyRole } from './history/history-role.ts';
import { messageExecutedTwice } from './idempotency/message-executed-twice.ts';
import { messageOfTwoTurns } from './idempotency/message-of-two-turns.ts';
import { otherContentAccepted } from './idempotency/other-content-accepted.ts';
import { replayCharged } from './idempotency/replay-charged.ts';
import { replayRefused } from './idempotency/replay-refused.ts';
import { turnOfAnotherMessage } from './idempotency/turn-of-another-message.ts';
import type { FindingKind } from './kind.ts';
import { streamAndPollDisagree } from './turns/stream-and-poll-disagree.ts';
import { streamEventAfterEnd } from './turns/stream-event-after-end.ts';
import { streamOutOfSequence } from './turns/stream-out-of-sequence.ts';
import { turnEndedTwice } from './turns/turn-ended-twice.ts';
import { turnOfAnotherConversation } from './turns/turn-of-another-conversation.ts';
import { turnResultChanged } from './turns/turn-result-changed.ts';
import { turnWentBack } from './turns/turn-went-back.ts';
import { turnWithoutResult } from './turns/turn-without-result.ts';

/** Every kind of finding by its name, in the order in which they are reported. */
export const findingKinds = {
  'replay-charged': replayCharged,
  'replay-refused': replayRefused,
  'message-executed-twice': messageExecutedTwice,
  'message-of-two-turns': messageOfTwoTurns,
  'other-content-accepted': otherContentAccepted,
  'turn-of-another-message': turnOfAnotherMessage,
  'turn-went-back': turnWentBack,
  'turn-ended-twice': turnEndedTwice,
  'turn-without-result': turnWithoutResult,
  'turn-result-changed': turnResultChanged,
  'turn-of-another-conversation': turnOfAnotherConversation,
  'conversation-of-another-id': conversationOfAnotherId,
  'stream-and-poll-disagree': streamAndPollDisagree,
  'stream-out-of-sequence': streamOutOfSequence,
  'stream-event-after-end': streamEventAfterEnd,
  'history-message-missing': historyMessageMissing,
  'history-message-twice': historyMessageTwice,
  'history-out-of-order': historyOutOfOrder,
  'history-role': historyRole,
  'history-page-too-long': historyPageTooLong,
  'rating-not-taken': ratingNotTaken,
  'error-envelope-incomplete': errorEnvelopeIncomplete,
  'mapping-contradicted': mappingContradicted,
  'code-unmapped': codeUnmapped,
  'retry-after-too-early': retryAfterTooEarly,
  'retry-after-too-late': retryAfterTooLate,
  'retry-after-longer-than-window': retryAfterLongerThanWindow,
  'retry-after-does-not-count-down': retryAfterDoesNotCountDown,
  'retry-after-unreadable': retryAfterUnreadable,
  'retry-after-absent': retryAfterAbsent,
  'limit-field-malformed': limitFieldMalformed,
  'limit-field-impossible': limitFieldImpossible,
  'limit-policy-differs': limitPolicyDiffers,
  'remaining-not-honoured': remainingNotHonoured,
  'remaining-miscounted': remainingMiscounted,
  'remaining-left-out': remainingLeftOut,
} as const satisfies Readonly<Record<string, FindingKind>>;

export type FindingName = keyof typeof findingKinds;
