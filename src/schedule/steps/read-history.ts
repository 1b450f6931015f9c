import type { ReadHistoryStep } from '../../scenario/index.ts';
import type { Request } from '../exchange.ts';
import { type JourneyState, next, type StepEnd } from '../journey-state.ts';
import { renderAll } from '../scope.ts';
import { oneRequest, shared } from './operation.ts';

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
    const request = historyRequest(journey, {
      conversation,
      ...(limit === undefined ? {} : { limit }),
      offset: offset + page * size,
      first: page === 0 && step.readHistory.offset === undefined,
    });
    const end = await oneRequest(journey, step, { ...request, ...shared(step) }, (sent) => {
      got = sent.exchange.history?.items.length ?? 0;
    });
    if (end.kind !== 'next' || got < size) return end;
    if (journey.stop.finish.aborted) return { kind: 'interrupted' };
  }
  return next;
}

/** A service that answers full pages for ever must not hold a journey for ever. */
const MOST_PAGES = 10_000;

/** Parameters that the scenario does not give are not sent, so that the service's own defaults are seen. */
export function historyRequest(
  journey: JourneyState,
  page: { readonly conversation: string; readonly limit?: number; readonly offset?: number; readonly first?: boolean },
): Request {
  const { limitParameter, offsetParameter, defaultLimit } = journey.world.profile.history;
  const sendsOffset = page.offset !== undefined && !page.first;
  return {
    operation: 'readHistory',
    parameters: { conversation_id: page.conversation },
    query: {
      ...(page.limit === undefined ? {} : { [limitParameter]: page.limit }),
      ...(sendsOffset ? { [offsetParameter]: page.offset ?? 0 } : {}),
    },
    credentials: 'valid',
    conversation: page.conversation,
    page: { limit: page.limit ?? defaultLimit, offset: page.offset ?? 0 },
  };
}
