/** The two hexadecimal digits of each byte as ASCII codes, packed into 16 bits. */
const DIGITS = Uint16Array.from({ length: 256 }, (_, byte) =>
  Buffer.from(byte.toString(16).padStart(2, '0'), 'latin1').readUInt16BE(),
);

/** Writes the lower 16 bits as four hexadecimal digits, most significant first. */
export function putFourDigits(text: DataView, at: number, value: number): void {
  text.setUint16(at, DIGITS[(value >>> 8) & 0xff] ?? 0);
  text.setUint16(at + 2, DIGITS[value & 0xff] ?? 0);
}
