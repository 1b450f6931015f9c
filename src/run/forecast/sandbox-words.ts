import { sandboxProfile, type TargetProfile } from '../../api/index.ts';
import type { LoadedScenario } from '../../scenario/index.ts';

/**
 * In a rehearsal the sandbox's core answers for another service, in its own statuses, codes and names. Read as the service's, its
 * refusals would be of no limit, its turns would never finish, and its successes would end journeys.
 */
export const inSandboxWords = (loaded: LoadedScenario): LoadedScenario => ({
  ...loaded,
  profile: withSandboxWords(loaded.profile),
});

function withSandboxWords(profile: TargetProfile): TargetProfile {
  const { errorCodes, success, stream, turns } = sandboxProfile();
  const { open, completed, failed } = turns;
  const { queued: _queued, processing: _processing, ...otherTurns } = profile.turns;
  const { limitParameter: _limit, offsetParameter: _offset, ...history } = profile.history;
  return {
    ...profile,
    errorCodes,
    success,
    stream: profile.stream === null ? null : stream,
    turns: { ...otherTurns, open, completed, failed },
    history,
  };
}
