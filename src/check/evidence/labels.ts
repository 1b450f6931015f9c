import { MADE_UP_TOKEN } from '../../base/index.ts';
import type { Exchange } from '../../history/index.ts';
import { Names } from './columns.ts';
import { Pairs } from './pairs.ts';

export type LabelColumn = 'application' | 'user' | 'token' | 'conversation';

/**
 * Places of exchanges: a place is an application, one of its users, one of the user's tokens (or none) and a conversation (or
 * none). Columns are indexed by the number of the place, from 1; an entry 0 means absent. Users are distinguished within
 * applications, conversations within users: clients choose the identifiers of conversations, and two may choose the same. One
 * token is one for all users to whom the service gave it; tokens that are made up, within users.
 */
export interface Places {
  /** The number of places. */
  readonly size: number;
  readonly application: Uint32Array;
  readonly user: Uint32Array;
  readonly token: Uint32Array;
  readonly conversation: Uint32Array;
  /** By number of the token: whether several users have it. Not set for others. */
  readonly ofSeveral: ReadonlySet<number>;
  /** By place, how surely the service knows its user (`Known`). */
  readonly known: Uint8Array;
  /** The journal's label for a number in that column; `undefined` for 0. */
  readonly nameOf: (column: LabelColumn, number: number) => string | undefined;
}

/**
 * Whether a service that counts by user knows the one that the journal names. `byOneToken`: the user has only one token, which
 * others have, too; so all of the user's attempts are one user's, who may have made more. `notSurely`: not even that.
 */
export const Known = { surely: 0, byOneToken: 1, notSurely: 2 } as const;
export type Known = (typeof Known)[keyof typeof Known];

type Labelled = { readonly [L in LabelColumn]?: Exchange[L] | undefined };

/** The last place used: nearly always the next one is the same. All members are always set, so that all of these objects have one shape. */
interface LastSeen extends Required<Labelled> {
  readonly place: number;
}

/** Assigns numbers to places. */
export class PlaceNames {
  readonly #applications = new Names<string>();
  readonly #userLabels = new Names<string>();
  /** Pairs (application, user label). */
  readonly #users = new Pairs();
  readonly #tokenLabels = new Names<string>();
  /** Pairs (user, token label), 0 if there is no token. */
  readonly #bearers = new Pairs();
  readonly #conversationLabels = new Names<string>();
  /** Pairs (user, conversation label). */
  readonly #conversations = new Pairs();
  /** Pairs (bearer, conversation), 0 if there is no conversation. */
  readonly #places = new Pairs();
  /** By token, or by user if there is none: these labels are short and hash quickly, unlike a conversation's identifier. */
  readonly #lastOf = new Map<string, LastSeen>();
  readonly #lastIn = new Map<string, LastSeen>();

  of(exchange: Exchange): number {
    const holder = exchange.token ?? exchange.user;
    const last = this.#lastOf.get(holder);
    if (last && isSame(last, exchange) && last.conversation === exchange.conversation) return last.place;
    const seen = this.#lastSeen(exchange);
    this.#lastOf.set(holder, seen);
    return seen.place;
  }

  #lastSeen(exchange: Exchange): LastSeen {
    const { application, user, token, conversation } = exchange;
    const known = conversation === undefined ? undefined : this.#lastIn.get(conversation);
    if (known && isSame(known, exchange)) return known;
    const seen = { application, user, token, conversation, place: this.#number(exchange) };
    if (conversation !== undefined) this.#lastIn.set(conversation, seen);
    return seen;
  }

  #number({ application, user, token, conversation }: Exchange): number {
    const holder = this.#users.of(this.#applications.of(application), this.#userLabels.of(user));
    const bearer = this.#bearers.of(holder, token === undefined ? 0 : this.#tokenLabels.of(token));
    if (conversation === undefined) return this.#places.of(bearer, 0);
    return this.#places.of(bearer, this.#conversations.of(holder, this.#conversationLabels.of(conversation)));
  }

  /**
   * Number of the scope within which a client_message_id is unique; different scopes have different numbers. What names no
   * conversation is within one of its user's, whose number is odd.
   */
  within(place: number, scope: 'conversation' | 'user' | 'application'): number {
    const user = this.#bearers.first(this.#places.first(place));
    if (scope === 'user') return user;
    if (scope === 'application') return this.#users.first(user);
    const conversation = this.#places.second(place);
    return conversation === 0 ? 2 * user + 1 : 2 * conversation;
  }

  finish(): Places {
    const size = this.#places.size;
    const column = () => new Uint32Array(size + 1);
    const [application, user, token, conversation] = [column(), column(), column(), column()];
    const { numberOf, ofSeveral } = this.#tokensOfAll();
    const knownOf = this.#knownUsers(numberOf, ofSeveral);
    const known = new Uint8Array(size + 1);
    for (let place = 1; place <= size; place++) {
      const bearer = this.#places.first(place);
      const holder = this.#bearers.first(bearer);
      application[place] = this.#users.first(holder);
      user[place] = holder;
      token[place] = numberOf[bearer] ?? 0;
      conversation[place] = this.#places.second(place);
      known[place] = knownOf(holder);
    }
    return {
      size,
      application,
      user,
      token,
      conversation,
      ofSeveral,
      known,
      nameOf: (column, number) => (number === 0 ? undefined : this.#nameOf(column, number)),
    };
  }

  /** Numbers of tokens by bearer: that of the first bearer, unless a token is made up. */
  #tokensOfAll() {
    const numberOf: number[] = [0];
    const firstWith = new Map<number, number>();
    const ofSeveral = new Set<number>();
    for (let bearer = 1; bearer <= this.#bearers.size; bearer++) {
      const label = this.#bearers.second(bearer);
      const isGiven = label !== 0 && this.#tokenLabels.name(label) !== MADE_UP_TOKEN;
      const first = isGiven ? firstWith.get(label) : undefined;
      if (first !== undefined) ofSeveral.add(first);
      else if (isGiven) firstWith.set(label, bearer);
      numberOf.push(label === 0 ? 0 : (first ?? bearer));
    }
    return { numberOf, ofSeveral };
  }

  #knownUsers(numberOf: readonly number[], ofSeveral: ReadonlySet<number>): (user: number) => Known {
    if (ofSeveral.size === 0) return () => Known.surely;
    const tokensOf = new Map<number, Set<number>>();
    for (let bearer = 1; bearer <= this.#bearers.size; bearer++) {
      const [user, token] = [this.#bearers.first(bearer), numberOf[bearer] ?? 0];
      if (token !== 0) tokensOf.set(user, (tokensOf.get(user) ?? new Set()).add(token));
    }
    return (user) => {
      const tokens = [...(tokensOf.get(user) ?? [])];
      if (!tokens.some((token) => ofSeveral.has(token))) return Known.surely;
      return tokens.length === 1 ? Known.byOneToken : Known.notSurely;
    };
  }

  #nameOf(column: LabelColumn, number: number): string | undefined {
    switch (column) {
      case 'application':
        return this.#applications.name(number);
      case 'user':
        return this.#userLabels.name(this.#users.second(number));
      case 'token':
        return this.#tokenLabels.name(this.#bearers.second(number));
      case 'conversation':
        return this.#conversationLabels.name(this.#conversations.second(number));
    }
  }
}

const isSame = (a: Labelled, b: Labelled): boolean =>
  a.application === b.application && a.user === b.user && a.token === b.token;
