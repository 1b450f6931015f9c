import { type OperationId, operationIds } from '../api/index.ts';
import type { Micros } from '../base/index.ts';
import type { SentRecord } from './records.ts';

/** The letter behind `{"kind":"`: nearly all lines but those of `sent` records are told by it. */
const KIND_AT = '{"kind":"'.length;
const LETTER_S = 's'.charCodeAt(0);
/** Of up to 15 digits every number is exact. */
const NUMBER = '(0|[1-9]\\d{0,14})';
const SENT = new RegExp(
  `^\\{"kind":"sent","seq":${NUMBER},"operation":"(${operationIds.join('|')})","at":${NUMBER}\\}$`,
);

/**
 * Reads the line of a `sent` record as the writer of journals writes it for one generator: at low rates every second line is one,
 * and this takes a third of what JSON.parse takes for it and the checks for what that made.
 * @returns `undefined` for every other line, whatever it is: `decodeLine` reads those
 */
export function readSentLine(line: string): SentRecord | undefined {
  const found = line.charCodeAt(KIND_AT) === LETTER_S ? SENT.exec(line) : null;
  return found
    ? { kind: 'sent', seq: Number(found[1]), operation: found[2] as OperationId, at: Number(found[3]) as Micros }
    : undefined;
}
