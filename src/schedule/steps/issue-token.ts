import type { IssueTokenStep } from '../../scenario/index.ts';
import { issueTokenRequest } from '../access.ts';
import type { JourneyState, StepEnd } from '../journey-state.ts';
import { renderAll } from '../scope.ts';
import { oneRequest } from './operation.ts';

/** Issues a token anew, even when the user has one: the new token replaces it. */
export function issueToken(journey: JourneyState, step: IssueTokenStep): Promise<StepEnd> | StepEnd {
  const rendered = renderAll(journey, step.issueToken);
  if (rendered.kind === 'stop') return { ...rendered, operation: 'issueToken' };
  const { locale, timezone } = rendered.texts;
  const { credentials, expect } = step;
  const request = issueTokenRequest(journey, { locale, timezone, credentials, expect });
  const who = { application: journey.user.application, user: journey.user.label };
  return oneRequest(journey, step, request, (sent) => void journey.world.tokens.adopt(who, sent.reply));
}
