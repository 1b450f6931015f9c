import { type OperationId, operationIds } from '../api/index.ts';
import type { Micros } from '../base/index.ts';
import type { SentRecord } from './records.ts';

/** The letter behind `{"kind":"`: nearly all lines but those of `sent` records are told by it. */
const KIND_AT = '{"kind":"'.length;
const LETTER_S = 's'.charCodeAt(0);
/** Of up to 15 digits every number is exact. */
const NUMBER = '(?:0|[1-9]\\d{0,14})';
const SENT = new RegExp(
  `^\\{"kind":"sent","seq":${NUMBER},"operation":"(?:${operationIds.join('|')})","at":${NUMBER}\\}$`,
);
const SEQ_AT = '{"kind":"sent","seq":'.length;
const BEFORE_OPERATION = ',"operation":"'.length;
const BEFORE_AT = '","at":'.length;

/**
 * Reads the line of a `sent` record as the writer of journals writes it for one generator: at low rates every second line is one,
 * and this takes a quarter of what JSON.parse takes for it and the checks for what that made. What stands where is looked for once
 * the whole is known to be right: groups of the expression would take half as long again.
 * @returns `undefined` for every other line, whatever it is: `decodeLine` reads those
 */
export function readSentLine(line: string): SentRecord | undefined {
  if (line.charCodeAt(KIND_AT) !== LETTER_S || !SENT.test(line)) return undefined;
  const seqEnd = line.indexOf(',', SEQ_AT);
  const operationAt = seqEnd + BEFORE_OPERATION;
  const operationEnd = line.indexOf('"', operationAt);
  return {
    kind: 'sent',
    seq: digits(line, SEQ_AT, seqEnd),
    operation: line.slice(operationAt, operationEnd) as OperationId,
    at: digits(line, operationEnd + BEFORE_AT, line.length - 1) as Micros,
  };
}

const ZERO = '0'.charCodeAt(0);

function digits(text: string, from: number, to: number): number {
  let value = 0;
  for (let i = from; i < to; i++) value = value * 10 + text.charCodeAt(i) - ZERO;
  return value;
}
