import type { ApiReply } from '../api/index.ts';
import { type Clock, type Micros, microsFromMillis, microsFromSeconds } from '../base/index.ts';
import type { TokenNumbers } from './token-numbers.ts';
import { readToken, type TokenResult } from './token-result.ts';

/** The owner of a token: an application's label and the user's, never external ids. */
export interface TokenOwner {
  readonly application: string;
  readonly label: string;
}

export interface TokenKeeperOptions {
  readonly clock: Clock;
  /** Milliseconds of service time before its expiry at which a token is renewed; at most half of its life. */
  readonly renewBefore: number;
  /** Lifetime of a token, ms of service time, if the service does not give a positive number (`expires_in`). */
  readonly defaultLifetime: number;
  /** Service seconds per run second, > 0. */
  readonly serviceRate: number;
  /** Shared by all keepers of a run. */
  readonly numbers: TokenNumbers;
}

interface Token {
  readonly result: Extract<TokenResult, { kind: 'token' }>;
  readonly expiresAt: Micros;
  renewAt: Micros;
  /** It had expired on arrival; it may still be used once, which avoids a loop of token requests. */
  readonly isLate: boolean;
  /** fresh: no answer yet. worked: the service accepted it once. marked: it met a 401 and is never used again. */
  state: 'fresh' | 'worked' | 'marked';
}

interface Owner {
  current?: Token;
  issuing?: Promise<TokenResult>;
  /** How many successive tokens were refused without ever having worked. */
  refusedInARow: number;
}

/** One refusal of a fresh token may be a race (revoked, or not yet known to every server); a second one is final. */
const REFUSALS_UNTIL_REJECTED = 2;

/**
 * Keeps one current token per user of an application. Tokens live in memory only; everybody else sees labels `t1`, `t2`, …. A token
 * that comes again, to the same user or to another, keeps its label: two labels would be two buckets if the service counts by token.
 *
 * | the current token is | `tokenFor` |
 * |---|---|
 * | live | reuses it |
 * | absent, expired | issues one; callers at the same time share the call |
 * | about to expire | renews it; when that fails, reuses it until it expires and tries again halfway there |
 * | marked, and had worked before | issues one (it was revoked) |
 * | marked without having worked | issues one; when that is refused too, the user is `rejected`: nothing is issued any more, until `adopt` brings a token |
 *
 * So between two tokens that work at most two are issued, whatever the service does. That needs `markWorked`.
 */
export class TokenKeeper {
  readonly #options: TokenKeeperOptions;
  /** By application, then by user. */
  readonly #owners = new Map<string, Map<string, Owner>>();

  constructor(options: TokenKeeperOptions) {
    this.#options = options;
  }

  /**
   * A token to call with, or why there is none; never throws for what the service does.
   * @param issue makes the token request; `undefined` if it could not be sent. What it throws is thrown to all that wait
   */
  async tokenFor(who: TokenOwner, issue: () => Promise<ApiReply | undefined>): Promise<TokenResult> {
    const owner = this.#ownerOf(who);
    const current = this.#live(owner);
    if (current) return current.result;
    if (owner.refusedInARow >= REFUSALS_UNTIL_REJECTED) return { kind: 'none', because: 'rejected' };
    owner.issuing ??= this.#issue(owner, issue).finally(() => {
      delete owner.issuing;
    });
    const issued = await owner.issuing;
    return issued.kind === 'none' ? (this.#spare(owner) ?? issued) : issued;
  }

  /** The live token, at once; `undefined` if `tokenFor` would issue one. */
  current(who: TokenOwner): Token['result'] | undefined {
    return this.#live(this.#ownerOf(who))?.result;
  }

  /** The currently valid token, even if it is due for renewal; `undefined` if there is none. */
  usable(who: TokenOwner): Token['result'] | undefined {
    const { current } = this.#ownerOf(who);
    if (!current || current.state === 'marked') return undefined;
    const isGood = this.#options.clock.now() < current.expiresAt || (current.isLate && current.state === 'fresh');
    return isGood ? current.result : undefined;
  }

  #live({ current }: Owner): Token | undefined {
    if (!current || current.state === 'marked') return undefined;
    return this.#options.clock.now() < current.renewAt ? current : undefined;
  }

  /** Takes the token of a step's own token request; it becomes the user's current one. */
  adopt(who: TokenOwner, reply: ApiReply): TokenResult {
    const owner = this.#ownerOf(who);
    const taken = this.#take(owner, reply);
    if (taken.kind === 'token' && owner.refusedInARow >= REFUSALS_UNTIL_REJECTED)
      owner.refusedInARow = REFUSALS_UNTIL_REJECTED - 1;
    return taken;
  }

  /** The service accepted the token: any answer but a 401. Distinguishes a revoked token from one that never worked. */
  markWorked(who: TokenOwner, label: string): void {
    const owner = this.#ownerOf(who);
    const { current } = owner;
    if (current?.result.label !== label || current.state !== 'fresh') return;
    current.state = 'worked';
    owner.refusedInARow = 0;
  }

  /** The service refused the token to its user, who never uses it again. A late report on an older one changes nothing. */
  mark401(who: TokenOwner, label: string): void {
    const owner = this.#ownerOf(who);
    const { current } = owner;
    if (current?.result.label !== label) return;
    if (current.state === 'fresh') owner.refusedInARow += 1;
    current.state = 'marked';
  }

  #ownerOf({ application, label }: TokenOwner): Owner {
    const users = this.#owners.get(application) ?? new Map<string, Owner>();
    const known = users.get(label);
    if (known) return known;
    const owner: Owner = { refusedInARow: 0 };
    this.#owners.set(application, users.set(label, owner));
    return owner;
  }

  async #issue(owner: Owner, issue: () => Promise<ApiReply | undefined>): Promise<TokenResult> {
    const reply = await issue();
    return reply === undefined ? { kind: 'none', because: 'not-sent' } : this.#take(owner, reply);
  }

  #take(owner: Owner, reply: ApiReply): TokenResult {
    const response = readToken(reply);
    if (response.kind === 'none') return response;
    const read = response.token;
    const { clock, serviceRate, defaultLifetime, renewBefore, numbers } = this.#options;
    const lifeUs =
      read.expires_in === undefined ? microsFromMillis(defaultLifetime) : microsFromSeconds(read.expires_in);
    const marginUs = Math.min(microsFromMillis(renewBefore), lifeUs / 2);
    const inRunTime = (serviceUs: number) => Math.floor(reply.sentAt + serviceUs / serviceRate) as Micros;
    const label = `t${numbers.of(read.access_token)}`;
    const expiresAt = inRunTime(lifeUs);
    const token: Token = {
      result: { kind: 'token', label, credentials: { kind: 'bearer', token: read.access_token, prepared: undefined } },
      expiresAt,
      isLate: expiresAt <= clock.now(),
      renewAt: inRunTime(lifeUs - marginUs),
      state: 'fresh',
    };
    // A token request that took longer than the life of its token still yields one use, which avoids a loop of token requests.
    if (token.renewAt <= clock.now()) token.renewAt = token.expiresAt;
    owner.current = token;
    return token.result;
  }

  /** The old token, if renewing it failed before it expired. */
  #spare({ current }: Owner): TokenResult | undefined {
    const now = this.#options.clock.now();
    if (!current || current.state === 'marked' || now >= current.expiresAt) return undefined;
    current.renewAt = Math.ceil((now + current.expiresAt) / 2) as Micros;
    return current.result;
  }
}
