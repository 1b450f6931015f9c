import type { Fault } from './fault.ts';
import { bodyTravels } from './strikes.ts';
import { wholeNumber } from './words.ts';

const USUALLY_BYTES = 16_777_216;
const MOST_BYTES = 1_073_741_824;

/** Pads with spaces, which JSON ignores: a client that reads everything gets the true answer. */
export const oversized: Fault = {
  says: `The request is processed; the body is padded with spaces to this many bytes (${USUALLY_BYTES}).`,
  parameters: '[:BYTES]',
  target: 'body',
  read(words) {
    const bytes = wholeNumber(words, USUALLY_BYTES, 1, MOST_BYTES);
    return 'problem' in bytes ? bytes : bodyTravels({ padToBytes: bytes.value });
  },
};
