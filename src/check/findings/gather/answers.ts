import { canonicalUuid } from '../../../api/index.ts';
import type { Exchange, ProfileWords } from '../../../history/index.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { believed, type Noted, type Notes, note } from './noted.ts';

/** An answer that names another conversation than the one to be resumed. */
export interface ResumedElsewhere {
  readonly row: number;
  readonly asked: string;
  readonly told: string;
  /** Whether another user requested one with this identifier as well. */
  readonly isShared: boolean;
}

export interface RatedOtherwise {
  readonly row: number;
  readonly sent: string;
  readonly told: string;
  readonly success: boolean;
}

/** Where answers differ from their requests or from the specification; rows of the evidence. */
export interface Answers {
  readonly resumedElsewhere: readonly ResumedElsewhere[];
  readonly ratedOtherwise: readonly RatedOtherwise[];
  /** Error envelopes with missing members, by status, code and missing members, as JSON. */
  readonly incomplete: ReadonlyMap<string, Noted>;
}

export type IncompleteKey = readonly [status: number, code: string, lacks: readonly string[]];

/** Keeps contradictions only. */
export class AnswerGatherer {
  readonly #success: ProfileWords['success'];
  readonly #elsewhere: Omit<ResumedElsewhere, 'isShared'>[] = [];
  readonly #rated: RatedOtherwise[] = [];
  readonly #incomplete: Notes = new Map();

  constructor({ success }: ProfileWords) {
    this.#success = success;
  }

  add(exchange: Exchange, row: number): void {
    const { operation, otherwise, conversation, error, status = 0, bodyProblem } = exchange;
    if (error?.lacks !== undefined && error.lacks.length > 0)
      note(this.#incomplete, JSON.stringify([status, error.code, error.lacks] satisfies IncompleteKey), row);
    if (otherwise === undefined || bodyProblem !== undefined || !this.#success[operation].includes(status)) return;
    if (operation === 'createConversation' && conversation !== undefined && otherwise.conversation !== undefined)
      this.#elsewhere.push({ row, asked: conversation, told: otherwise.conversation });
    if (operation === 'rateAnswer' && otherwise.rating !== undefined) this.#rated.push({ row, ...otherwise.rating });
  }

  finish(evidence: Evidence): Answers {
    const isSound = ({ row }: { readonly row: number }) => evidence.doubtful[row] === 0;
    const isShared = this.#elsewhere.length === 0 ? () => false : sharedIn(evidence);
    return {
      resumedElsewhere: this.#elsewhere.filter(isSound).map((one) => ({ ...one, isShared: isShared(one.asked) })),
      ratedOtherwise: this.#rated.filter(isSound),
      incomplete: believed(this.#incomplete, evidence),
    };
  }
}

/** Identifiers that several users use for their own conversations. */
function sharedIn({ places }: Evidence): (id: string) => boolean {
  const numbers = new Map<string, number>();
  const shared = new Set<string>();
  for (const number of places.conversation) {
    const name = places.nameOf('conversation', number);
    if (name === undefined) continue;
    const id = canonicalUuid(name);
    if ((numbers.get(id) ?? number) !== number) shared.add(id);
    numbers.set(id, number);
  }
  return (id) => shared.has(canonicalUuid(id));
}
