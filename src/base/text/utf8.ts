import { isUtf8 } from 'node:buffer';
import { ConfigurationError } from '../errors.ts';

/** @throws ConfigurationError if the bytes are not UTF-8: with replacement characters, other text than was written would be sent */
export function utf8Of(bytes: Uint8Array, file: string): string {
  const common = { file, path: '', hint: 'save it as UTF-8' };
  if (isUtf16(bytes)) throw new ConfigurationError([{ ...common, message: 'is UTF-16, not UTF-8' }]);
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes);
  const place = { line: firstInvalidLine(bytes), column: 1 };
  throw new ConfigurationError([{ ...common, ...place, message: 'is not UTF-8' }]);
}

const UTF16_SAMPLE = 1_000;

/** By its byte order mark; without one, by its zero bytes: in UTF-16, about every second byte of mostly ASCII text is zero. */
function isUtf16(bytes: Uint8Array): boolean {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  const sample = bytes.subarray(0, UTF16_SAMPLE);
  return sample.length > 0 && sample.filter((byte) => byte === 0).length > sample.length / 4;
}

/** 1-based. */
function firstInvalidLine(bytes: Uint8Array): number {
  let line = 1;
  for (let from = 0; ; line++) {
    const end = bytes.indexOf(0x0a, from);
    if (end < 0 || !isUtf8(bytes.subarray(from, end))) return line;
    from = end + 1;
  }
}
