import type { ReadHistoryStep } from '../../scenario/index.ts';
import { policiesOf } from '../decision.ts';
import { type JourneyState, next, type StepEnd } from '../journey-state.ts';
import { sendWithPolicy } from '../policy.ts';
import { type Request, type RequestSettings, requestOf } from '../request.ts';
import { renderAll } from '../scope.ts';
import { settle } from './operation.ts';

/** Reads one page of the history, or page after page until one is not full. */
export async function readHistory(journey: JourneyState, step: ReadHistoryStep): Promise<StepEnd> {
  const { pages, limit, offset = 0 } = step.readHistory;
  const rendered = renderAll(journey, { conversation: step.readHistory.conversation });
  if (rendered.kind === 'stop') return { ...rendered, operation: 'readHistory' };
  const conversation = rendered.texts.conversation ?? journey.conversation;
  if (conversation === undefined)
    return { kind: 'stop', operation: 'readHistory', because: 'no conversation: none was created before this step' };
  const size = limit ?? journey.world.profile.history.defaultLimit;
  const wanted = pages === 'all' ? MOST_PAGES : pages;
  for (let page = 0; page < wanted; page++) {
    let got = 0;
    const asked: PageRequest = {
      conversation,
      limit,
      offset: offset + page * size,
      first: page === 0 && step.readHistory.offset === undefined,
    };
    const request = historyRequest(journey, asked, step);
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

interface PageRequest {
  readonly conversation: string;
  readonly limit?: number | undefined;
  readonly offset?: number;
  /** Whether it is the first page of a step that sets no offset. */
  readonly first?: boolean;
}

/** Parameters that the scenario does not set are not sent, so that the service's own defaults apply. */
export function historyRequest(journey: JourneyState, page: PageRequest, step: RequestSettings): Request {
  const { limitParameter = 'limit', offsetParameter = 'offset', defaultLimit } = journey.world.profile.history;
  const sendsOffset = page.offset !== undefined && !page.first;
  const { conversation, limit, offset = 0 } = page;
  const query: Record<string, number> = {};
  if (limit !== undefined) query[limitParameter] = limit;
  if (sendsOffset) query[offsetParameter] = offset;
  const asked = { limit: limit ?? defaultLimit, offset };
  const parameters = { conversation_id: conversation };
  return requestOf({ operation: 'readHistory', parameters, query, conversation, page: asked }, step);
}
