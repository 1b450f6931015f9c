import { type Draw, drawOf } from '../draw.ts';
import type { Person } from './people.ts';
import type { Learnt, Sending, Stage } from './stage.ts';

/** Asks for another token for somebody. @param then once it is there, or is not to be had */
export type Renewing = (person: Person, isRecorded: boolean, then: () => void) => void;

/** Sends requests again that had no answer or a broken one, as the world's clients do: each time with the token that is good by then. */
export class Insistence {
  readonly #stage: Stage;
  readonly #renew: Renewing;
  readonly #draw: Draw;

  constructor(stage: Stage, renew: Renewing) {
    this.#stage = stage;
    this.#renew = renew;
    this.#draw = drawOf(stage.world.scene, 'insistence');
  }

  /** @param learnt told of the last attempt alone */
  send(sending: Sending, person: Person, isRecorded: boolean, learnt: (seen: Learnt) => void, attempt = 1): void {
    this.#stage.send({ ...sending, attempt }, isRecorded, (seen) => {
      const end = () => learnt(seen);
      if (this.#isSilent(isRecorded)) return end();
      const again = () =>
        this.#isSilent(isRecorded)
          ? end()
          : this.send(bornBy(person, sending), person, isRecorded, learnt, attempt + 1);
      if (this.#isTurnedDown(sending, seen, attempt)) return this.#renew(person, isRecorded, again);
      if (!this.#isRetried(seen, attempt)) return end();
      this.#stage.at(seen.at + this.#draw.wait(this.#stage.world.habits.retries.pauseUs), again);
    });
  }

  /** Whoever sent before the run sends nothing within it where the run has the credentials for itself. */
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

/** With so many tokens, one after the other, a request is tried. */
const MOST_TOKENS = 3;

const bornBy = ({ secret, token }: Person, { request, frame }: Sending): Sending =>
  frame.token === undefined
    ? { request, frame }
    : { request: { ...request, authorization: `Bearer ${secret}` }, frame: { ...frame, token } };
