const HARMFUL = /[^A-Za-z0-9_.:+/@ -]/g;
const SHOWN = 40;

/** A word of the service (a code, an identifier, a policy's name) that can stand in a sentence: bounded, plain ASCII, one line. */
export function inert(word: string): string {
  const plain = word.slice(0, SHOWN).replace(HARMFUL, '?');
  return word.length > SHOWN ? `${plain}...` : plain;
}
