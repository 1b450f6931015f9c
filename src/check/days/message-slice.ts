import { operationIds } from '../../api/index.ts';
import { isTimezone } from '../../base/index.ts';
import { type Spans, spansOfRows } from '../engines/counted.ts';
import { limitBit } from '../evidence/attribution.ts';
import { bytesOf, wordsThat } from '../evidence/columns.ts';
import { Answer, type Evidence, mayBeTaken, Replay } from '../evidence/evidence.ts';
import { Known } from '../evidence/labels.ts';
import { Part, type Slice } from '../evidence/slice.ts';
import { refusalPart } from '../limits/counting.ts';
import { labelsOf, partition, type ScopeName } from '../limits/scope.ts';
import { knownBy, shownBy } from '../limits/strays.ts';
import { type KnownMessages, knownOf } from './known-messages.ts';

/**
 * The new messages of one bucket of the day quota, one position per message however often it was sent: [from, to] is when it was
 * charged. `admitted`: certainly a new message, and accepted. `maybe`: it may have been charged. Refusals have their own
 * positions and never count: neither a refused nor an invalid message is charged.
 */
export interface DaySlice extends Slice {
  /**
   * Service time at which the first message was sent to any bucket, whatever its outcome: if the scope is unknown, that message
   * may have begun a day that this bucket shares with others.
   */
  readonly firstSentUs: number;
  /**
   * Every attempt that may have begun a day which begins with a message: a service may check the quota before it finds a message
   * invalid, known, or without a slot. Only what the quota itself refused began none.
   */
  readonly tries: Spans;
  /** Time zones of the tokens that sent. */
  readonly zones: TokenZones;
}

/**
 * `one`: the same unknown zone for all; a token requested without a zone has the service's default. Names: each token has one of
 * these. `any`: unknown.
 */
export type TokenZones = 'one' | 'any' | readonly string[];

const sendMessage = operationIds.indexOf('sendMessage');

/** @param scope the scope within which messages are counted together */
export function daySlices(evidence: Evidence, scope: ScopeName): DaySlice[] {
  const rows = wordsThat(evidence.order, (row) => evidence.operation[row] === sendMessage);
  const known = knownOf(evidence, rows);
  const whole = scope !== 'token' || rows.every((row) => tokenOf(evidence, row) !== 0);
  const knownUser = knownBy(evidence, scope);
  return partition(evidence, scope, rows).map((part) => {
    const user = knownUser(part[0] as number);
    const entries = new Entries(evidence, known);
    const firstSentUs = evidence.from[rows[0] as number] as number;
    for (const row of part) entries.add(row);
    return {
      ...entries.slice(user),
      zones: zonesOf(evidence, entries.tokens),
      firstSentUs,
      tries: spansOfRows(
        evidence,
        part.filter((row) => mayBeginDay(evidence, row)),
      ),
      whole: whole && user === Known.surely,
      scope: labelsOf(evidence, scope, part[0] as number),
    };
  });
}

const tokenOf = ({ place, places }: Evidence, row: number): number => places.token[place[row] as number] as number;

/** A token that several users have was requested for each, perhaps with another time zone. */
const requestedAs = (evidence: Evidence, row: number): number =>
  (evidence.places.user[evidence.place[row] as number] as number) * (evidence.places.size + 1) + tokenOf(evidence, row);

const mayBeginDay = ({ answer, refusedBy }: Evidence, row: number): boolean =>
  answer[row] !== Answer.refused || refusedBy[row] !== limitBit.daily;

function zonesOf({ header: { timezones } }: Evidence, tokens: number): TokenZones {
  if (tokens <= 1) return 'one';
  if (!timezones?.every(isTimezone)) return 'any';
  return timezones.length > 1 ? timezones : 'one';
}

/** Joins attempts to messages. */
class Entries {
  readonly #evidence: Evidence;
  readonly #known: KnownMessages;
  readonly #row: number[] = [];
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  readonly #part: Part[] = [];
  /** Whether some attempt was no resend, so that the message is certainly new. */
  readonly #fresh: boolean[] = [];
  readonly #byMessage = new Map<number, number>();
  readonly #tokens = new Set<number>();
  /** Messages that may have been charged earlier, for another content or for a doubtful record, or not at all. */
  readonly #doubted = new Set<number>();

  constructor(evidence: Evidence, known: KnownMessages) {
    this.#evidence = evidence;
    this.#known = known;
  }

  /** @param row row of a message sent; rising in `from` */
  add(row: number): void {
    const { answer, refusedBy } = this.#evidence;
    this.#tokens.add(requestedAs(this.#evidence, row));
    if (answer[row] === Answer.refused) {
      const part = refusalPart(refusedBy[row] as number, limitBit.daily);
      if (part !== Part.maybe) this.#push(row, part, false);
      return;
    }
    if (mayBeTaken(this.#evidence, row)) this.#addTaken(row);
  }

  #addTaken(row: number): void {
    const { answer, message, replay } = this.#evidence;
    const number = message[row] as number;
    if (number === 0 || this.#isAlone(row)) {
      this.#doubted.add(number);
      this.#push(row, Part.maybe, false);
      return;
    }
    const fresh = replay[row] !== Replay.marked && this.#known.spread[number] === 0;
    if (!this.#hasOwnTurn(row)) this.#doubted.add(number);
    const known = this.#byMessage.get(number);
    const accepted = answer[row] === Answer.admitted;
    if (known === undefined) {
      this.#byMessage.set(number, this.#row.length);
      this.#push(row, accepted ? Part.admitted : Part.maybe, fresh);
      return;
    }
    this.#fresh[known] ||= fresh;
    this.#join(known, row, accepted);
  }

  /** A service may answer with the turn of another message because it takes both for one, which it then charges once. */
  #hasOwnTurn(row: number): boolean {
    const turn = this.#evidence.turn[row] as number;
    return turn === 0 || this.#evidence.turns.isKnown(turn);
  }

  /**
   * Whether the attempt may be charged whatever else was charged for its message. The specification does not say what another
   * content under a used id costs, nor the first content after it; of a doubtful record nothing is known.
   */
  #isAlone(row: number): boolean {
    const { message, otherContent, doubtful, to } = this.#evidence;
    const changedAt = this.#known.changedAt[message[row] as number] as number;
    return otherContent[row] === 1 || doubtful[row] === 1 || (to[row] as number) > changedAt;
  }

  /** A message is charged once, at the latest when an answer first accepted it. */
  #join(known: number, row: number, accepted: boolean): void {
    const to = this.#evidence.to[row] as number;
    const before = this.#to[known] as number;
    if (!accepted) {
      if (this.#part[known] === Part.maybe) this.#to[known] = Math.max(before, to);
      return;
    }
    if (this.#part[known] === Part.admitted && before <= to) return;
    this.#to[known] = to;
    this.#part[known] = Part.admitted;
    this.#row[known] = row;
  }

  #push(row: number, part: Part, fresh: boolean): void {
    this.#row.push(row);
    this.#from.push(this.#evidence.from[row] as number);
    this.#to.push(this.#evidence.to[row] as number);
    this.#part.push(part);
    this.#fresh.push(fresh);
  }

  #isNew(i: number): boolean {
    return this.#fresh[i] === true && !this.#doubted.has(this.#evidence.message[this.#row[i] as number] as number);
  }

  #finalPart(i: number): Part {
    const part = this.#part[i] as Part;
    return part === Part.admitted && !this.#isNew(i) ? Part.maybe : part;
  }

  get tokens(): number {
    return this.#tokens.size;
  }

  slice(user: Known): Omit<DaySlice, 'scope' | 'firstSentUs' | 'tries' | 'zones'> {
    return {
      size: this.#row.length,
      row: Uint32Array.from(this.#row),
      from: Float64Array.from(this.#from),
      to: Float64Array.from(this.#to),
      part: bytesOf(this.#part.length, (i) => shownBy(user, this.#finalPart(i))),
    };
  }
}
