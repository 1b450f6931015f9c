import { type Draw, drawOf } from '../draw.ts';
import type { Asker } from './person.ts';
import type { Composed, Learnt, Sending, Stage } from './stage.ts';

/** Requests another token for a user. @param then called when it is there, or could not be issued */
export type Renewing = (asker: Asker, then: () => void) => void;

/** Retries requests without a usable answer, as the world's clients do, each time with the user's current token. */
export class Retries {
  readonly #stage: Stage;
  readonly #renew: Renewing;
  readonly #draw: Draw;

  constructor(stage: Stage, renew: Renewing) {
    this.#stage = stage;
    this.#renew = renew;
    this.#draw = drawOf(stage.world.scene, 'insistence');
  }

  /** @param learnt called with the result of the last attempt only */
  send(sending: Sending, learnt: (seen: Learnt) => void): void {
    this.#stage.send(sending, (seen) => {
      const end = () => learnt(seen);
      if (this.#isSilent(sending)) return end();
      const again = () => (this.#isSilent(sending) ? end() : this.send(nextAttempt(sending), learnt));
      if (isTurnedDown(sending, seen)) return this.#renew(sending, again);
      if (!this.#isRetried(seen, sending.attempt)) return end();
      this.#stage.at(seen.at + this.#draw.wait(this.#stage.world.habits.retries.pauseUs), again);
    });
  }

  /** If the run uses its credentials exclusively, clients of the time before it send nothing during the run. */
  #isSilent({ isRecorded }: Asker): boolean {
    return !isRecorded && this.#stage.now >= 0 && this.#stage.world.claims.exclusive;
  }

  #isRetried({ exchange: { outcome, status = 0 } }: Learnt, attempt: number): boolean {
    const { most, alsoRefused } = this.#stage.world.habits.retries;
    const isOpen = outcome === 'failed' || outcome === 'censored' || status >= 500;
    return attempt <= most && (isOpen || (alsoRefused && outcome === 'refused'));
  }
}

/** Maximum of tokens with which a request is tried. */
const MOST_TOKENS = 3;

const isTurnedDown = ({ frame, attempt }: Sending, { exchange }: Learnt): boolean =>
  exchange.status === 401 && frame.token !== undefined && attempt < MOST_TOKENS;

/** With the token that the user has by then. */
function nextAttempt(sending: Sending): Sending {
  const { person, request, frame } = sending;
  const renewed: Composed | undefined =
    frame.token === undefined
      ? undefined
      : {
          request: { ...request, authorization: `Bearer ${person.secret}` },
          frame: { ...frame, token: person.token },
        };
  return { ...sending, ...renewed, attempt: sending.attempt + 1 };
}
