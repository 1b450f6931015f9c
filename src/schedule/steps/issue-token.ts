import type { IssueTokenStep } from '../../scenario/index.ts';
import { issueTokenRequest } from '../access.ts';
import type { JourneyState, StepListener, StepStart } from '../journey-state.ts';
import { renderAll } from '../scope.ts';
import { oneRequest } from './operation.ts';

/** Issues a token anew, even when the user has one: the new token replaces it. */
export function issueToken(journey: JourneyState, step: IssueTokenStep, told: StepListener): StepStart {
  const rendered = renderAll(journey, step.issueToken);
  if (rendered.kind === 'stop') return { ...rendered, operation: 'issueToken' };
  const { locale, timezone } = rendered.texts;
  const { credentials, expect } = step;
  const request = issueTokenRequest(journey, { locale, timezone, credentials, expect });
  return oneRequest(journey, step, request, told, (sent) => void journey.world.tokens.adopt(journey.user, sent.reply));
}
