import { isUtf8 } from 'node:buffer';
import { ConfigurationError } from './errors.ts';

/** @throws ConfigurationError where a reader would guess: another text than was written would be sent */
export function utf8Of(bytes: Uint8Array, file: string): string {
  try {
    if (isWideText(bytes)) throw new TypeError('UTF-16');
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const isWide = isWideText(bytes);
    const place = isWide ? {} : { line: lineThatIsNot(bytes), column: 1 };
    const message = isWide ? 'is UTF-16, not UTF-8' : 'is not UTF-8';
    throw new ConfigurationError([{ file, ...place, path: '', message, hint: 'save it as UTF-8' }]);
  }
}

const WIDE_SAMPLE = 1_000;

/** By its mark; without one, by its zeros: of UTF-16 every second byte, as a scenario is mostly ASCII. */
function isWideText(bytes: Uint8Array): boolean {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  const sample = bytes.subarray(0, WIDE_SAMPLE);
  return sample.length > 0 && sample.filter((byte) => byte === 0).length > sample.length / 4;
}

function lineThatIsNot(bytes: Uint8Array): number {
  let line = 1;
  for (let from = 0; ; line++) {
    const end = bytes.indexOf(0x0a, from);
    if (end < 0 || !isUtf8(bytes.subarray(from, end))) return line;
    from = end + 1;
  }
}
