import type { ReadHistoryStep } from '../../scenario/index.ts';
import { type Request, type RequestSettings, requestOf } from '../exchanges/request.ts';
import { type JourneyState, next, type StepEnd } from '../journeys/journey-state.ts';
import { renderAll } from '../journeys/scope.ts';
import { policiesOf } from '../policies/decision.ts';
import { sendWithPolicy } from '../policies/policy.ts';
import { NO_CONVERSATION, settle } from './operation.ts';

/** Reads one page of the history, or page after page until one is not full. */
export async function readHistory(journey: JourneyState, step: ReadHistoryStep): Promise<StepEnd> {
  const { pages, limit, offset } = step.readHistory;
  const rendered = renderAll(journey, { conversation: step.readHistory.conversation });
  if (rendered.kind === 'stop') return { ...rendered, operation: 'readHistory' };
  const conversation = rendered.texts.conversation ?? journey.conversation;
  if (conversation === undefined) return { kind: 'stop', operation: 'readHistory', because: NO_CONVERSATION };
  const size = limit ?? journey.world.profile.history.defaultLimit;
  const wanted = pages === 'all' ? MOST_PAGES : pages;
  for (let page = 0; page < wanted; page++) {
    let got = 0;
    const at = page === 0 ? offset : (offset ?? 0) + page * size;
    const request = historyRequest(journey, { conversation, limit, offset: at }, step);
    const settled = await sendWithPolicy(journey, request, journey.cursor, policiesOf(journey, step));
    const end = settle(journey, step, 'readHistory', settled, (sent) => {
      got = sent.exchange.history?.items.length ?? 0;
    });
    if (end.kind !== 'next' || got < size) return end;
  }
  return next;
}

/** Limit for a service that never returns a page that is not full. */
const MOST_PAGES = 10_000;

interface PageWanted {
  readonly conversation: string;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

/** Parameters that are absent are not sent, so that the service's own defaults apply. */
export function historyRequest(
  journey: JourneyState,
  { conversation, limit, offset }: PageWanted,
  step: RequestSettings,
): Request {
  const { limitParameter = 'limit', offsetParameter = 'offset', defaultLimit } = journey.world.profile.history;
  const query: Record<string, number> = {};
  if (limit !== undefined) query[limitParameter] = limit;
  if (offset !== undefined) query[offsetParameter] = offset;
  const asked = { limit: limit ?? defaultLimit, offset: offset ?? 0 };
  const parameters = { conversation_id: conversation };
  return requestOf({ operation: 'readHistory', parameters, query, conversation, page: asked }, step);
}
