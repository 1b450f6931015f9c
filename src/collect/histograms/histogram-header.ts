import { deflateSync, inflateSync } from 'node:zlib';

/** Cookie and length before the compressed bytes. */
const ENVELOPE_BYTES = 8;
const LENGTH_AT = 4;
/** Within the encoding itself. */
const INDEX_OFFSET_AT = 8;
const RATIO_AT = 32;

/**
 * Corrects a compressed V2 encoding, base64. The library writes an index offset of 1 although it shifts nothing, and the ratio 1 as an
 * integer, although the format has a double there. It reads neither; other readers refuse such a histogram or shift it by one bucket.
 */
export function withTrueHeader(encoded: string): string {
  const whole = Buffer.from(encoded, 'base64');
  const histogram = inflateSync(whole.subarray(ENVELOPE_BYTES));
  histogram.writeInt32BE(0, INDEX_OFFSET_AT);
  histogram.writeDoubleBE(1, RATIO_AT);
  const compressed = deflateSync(histogram);
  const envelope = whole.subarray(0, ENVELOPE_BYTES);
  envelope.writeInt32BE(compressed.length, LENGTH_AT);
  return Buffer.concat([envelope, compressed]).toString('base64');
}
