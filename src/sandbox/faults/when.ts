import type { Random } from '../../base/index.ts';
import type { Problem } from './fault.ts';

/** Which of the requests that match a rule it strikes. Each rule numbers its requests from 1. */
export type When =
  | { readonly kind: 'always' }
  | { readonly kind: 'probability'; readonly probability: number }
  /** Both ends included. */
  | { readonly kind: 'numbers'; readonly from: number; readonly to: number }
  | { readonly kind: 'every'; readonly step: number };

/** Its syntax, for help and errors. */
export const whenForms = 'p=0.05 (probability), #3 (the third request), #3-8, every=10, or nothing (always)';

const wrong = (problem: string) => `${problem}; write ${whenForms}`;

/**
 * Parses the last word of a rule.
 * @returns undefined if the word is a parameter of the fault instead
 */
export function readWhen(word: string): When | Problem | undefined {
  if (/^p=/.test(word)) {
    const probability = /^\d*\.?\d+$/.test(word.slice(2)) ? Number(word.slice(2)) : Number.NaN;
    if (probability > 0 && probability <= 1) return { kind: 'probability', probability };
    return { problem: wrong(`"${word}" is not a probability above 0, up to 1`) };
  }
  if (/^every=/.test(word)) {
    const step = number(word.slice('every='.length));
    return step === undefined ? { problem: wrong(`"${word}" needs a whole number above 0`) } : { kind: 'every', step };
  }
  if (!word.startsWith('#')) return undefined;
  const [first = '', last = first, ...rest] = word.slice(1).split('-');
  const [from, to] = [number(first), number(last)];
  if (rest.length > 0 || from === undefined || to === undefined || to < from) {
    return { problem: wrong(`"${word}" is not the number of a request such as #3, nor a range such as #3-8`) };
  }
  return { kind: 'numbers', from, to };
}

const number = (text: string): number | undefined =>
  /^\d{1,15}$/.test(text) && Number(text) > 0 ? Number(text) : undefined;

export function strikesAt(when: When, requestNumber: number, random: Random): boolean {
  switch (when.kind) {
    case 'always':
      return true;
    case 'probability':
      return random.next() < when.probability;
    case 'numbers':
      return requestNumber >= when.from && requestNumber <= when.to;
    case 'every':
      return requestNumber % when.step === 0;
  }
}
