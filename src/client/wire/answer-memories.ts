import type { OperationId } from '../../api/index.ts';
import { BodyMemory } from '../http/body-memory.ts';
import { HeadMemory } from './head-memory.ts';

/** Remembered answers of one operation. */
export interface AnswerMemory {
  readonly heads: HeadMemory;
  readonly bodies: BodyMemory;
}

/** Remembered answers by operation, over all connections of a transport. */
export class AnswerMemories {
  readonly #all = new Map<OperationId, AnswerMemory>();

  of(operation: OperationId): AnswerMemory {
    const known = this.#all.get(operation);
    if (known) return known;
    const made = { heads: new HeadMemory(), bodies: new BodyMemory() };
    this.#all.set(operation, made);
    return made;
  }
}
