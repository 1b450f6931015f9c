import { Replay } from '../../evidence/evidence.ts';
import { tolerancesOf } from '../advice/obeying.ts';
import type { Send } from '../gather/messages.ts';
import type { ConversationPages, Page } from '../gather/pages.ts';
import type { Look } from '../kind.ts';

/**
 * Whether the profile promises to show a message sent then until `until`, run time µs, on the service's clock. A message that may have
 * been sent before, in no record, may be older.
 */
export function isKept(look: Look, send: Send, until: number): boolean {
  const { evidence, sends, isWhole } = look;
  const { drift, slackUs } = tolerancesOf(look);
  const { sentAt, row, isRepeated } = sends.get(send.message)?.[0] ?? send;
  if (isRepeated || (!isWhole && evidence.replay[row] !== Replay.no)) return false;
  const atMost = (evidence.timeline.at(until) - evidence.timeline.at(sentAt)) * (1 + drift) + slackUs;
  return atMost < keptForUs(look);
}

/**
 * Whether the service may have forgotten a message between the first page and the last: then, counted from the oldest, every later
 * one moves up, and one may move past the end of a page before the next page is read.
 * @param pages that together show the whole history
 */
export function mayHaveMovedUp(look: Look, pages: readonly Page[], { items }: ConversationPages): boolean {
  const last = pages.at(-1);
  if (last === undefined || pages.length < 2 || look.promises.history.offsetFrom === 'newest') return false;
  const { timeline } = look.evidence;
  const { drift, slackUs } = tolerancesOf(look);
  const nowUs = timeline.originUs + timeline.phaseUncertaintyUs + timeline.at(last.receivedAt) * (1 + drift) + slackUs;
  const isYoung = (createdUs: number) => nowUs - createdUs < keptForUs(look);
  return !pages.every((page) => page.items.every((number) => isYoung(items[number]?.createdUs ?? -Infinity)));
}

/** 0 if nothing is promised. */
const keptForUs = ({ promises }: Look): number => (promises.history.keptFor ?? 0) * 1_000;
