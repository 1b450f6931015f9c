import { isRecord } from '../../base/index.ts';
import type { Fault, Path } from './faults.ts';

type Members = Readonly<Record<string, unknown>>;

/** Members of a step that nothing is done with because of another one: whoever wrote them expects an effect. Reads the document as written. */
export function idleMemberFaults(name: string, body: Members, path: Path): readonly Fault[] {
  if (name === 'followTurn') return idlePolling(body, path);
  if (name === 'burst') return idleInBurst(body, path);
  if (name !== 'resend' || body.content === 'other') return [];
  return idle(body, path, ['message'], { message: 'is not sent: the content is the same', hint: 'add content: other' });
}

/** `whenFull` without a cap that could be full. Reads the document as written. */
export function idleCapFaults({ caps }: Members): readonly Fault[] {
  if (!isRecord(caps) || ['inFlight', 'openTurns', 'requestsPerMinute'].some((cap) => caps[cap] !== undefined))
    return [];
  return idle(caps, ['caps'], ['whenFull'], {
    message: 'has no effect without a cap',
    hint: 'remove it, or add inFlight, openTurns or requestsPerMinute',
  });
}

function idleInBurst({ of, ...body }: Members, path: Path): readonly Fault[] {
  const following = isRecord(body.follow) ? idlePolling(body.follow, [...path, 'follow']) : [];
  if (of !== 'readHistory' && of !== 'createConversation') return following;
  return idle(body, path, ['message', 'location', 'nonce', 'follow'], {
    message: `has no effect in a burst of ${of}`,
    hint: 'remove it, or write of: sendMessage',
  });
}

const idlePolling = (body: Members, path: Path): readonly Fault[] =>
  body.by !== 'stream'
    ? []
    : idle(body, path, ['interval', 'backoff', 'maxInterval'], {
        message: 'has no effect by stream, without polls',
        hint: 'remove it, or write by: poll or by: both',
      });

const idle = (
  body: Members,
  path: Path,
  members: readonly string[],
  fault: Pick<Fault, 'message' | 'hint'>,
): readonly Fault[] =>
  members
    .filter((member) => body[member] !== undefined)
    .map((member) => ({ path: [...path, member], atKey: true, ...fault }));
