import { type Draw, drawOf } from '../draw.ts';
import type { Person } from './person.ts';
import type { Learnt, Sending, Stage } from './stage.ts';

/** Requests another token for a user. @param then called when it is there, or could not be issued */
export type Renewing = (person: Person, isRecorded: boolean, then: () => void) => void;

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
  send(sending: Sending, person: Person, isRecorded: boolean, learnt: (seen: Learnt) => void, attempt = 1): void {
    this.#stage.send({ ...sending, attempt }, isRecorded, (seen) => {
      const end = () => learnt(seen);
      if (this.#isSilent(isRecorded)) return end();
      const again = () =>
        this.#isSilent(isRecorded)
          ? end()
          : this.send(withCurrentToken(person, sending), person, isRecorded, learnt, attempt + 1);
      if (this.#isTurnedDown(sending, seen, attempt)) return this.#renew(person, isRecorded, again);
      if (!this.#isRetried(seen, attempt)) return end();
      this.#stage.at(seen.at + this.#draw.wait(this.#stage.world.habits.retries.pauseUs), again);
    });
  }

  /** If the run uses its credentials exclusively, clients of the time before it send nothing during the run. */
  #isSilent(isRecorded: boolean): boolean {
    return !isRecorded && this.#stage.now >= 0 && this.#stage.world.claims.exclusive;
  }

  #isTurnedDown({ frame }: Sending, { exchange }: Learnt, attempt: number): boolean {
    return exchange.status === 401 && frame.token !== undefined && attempt < MOST_TOKENS;
  }

  #isRetried({ exchange: { outcome, status = 0 } }: Learnt, attempt: number): boolean {
    const { most, alsoRefused } = this.#stage.world.habits.retries;
    const isOpen = outcome === 'failed' || outcome === 'censored' || status >= 500;
    return attempt <= most && (isOpen || (alsoRefused && outcome === 'refused'));
  }
}

/** Maximum of tokens with which a request is tried. */
const MOST_TOKENS = 3;

const withCurrentToken = ({ secret, token }: Person, { request, frame }: Sending): Sending =>
  frame.token === undefined
    ? { request, frame }
    : { request: { ...request, authorization: `Bearer ${secret}` }, frame: { ...frame, token } };
