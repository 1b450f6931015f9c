const HARMFUL = /[^A-Za-z0-9_.:+/@ -]/g;
const SHOWN = 40;

/** Makes a word of the service (a code, an identifier, a policy's name) safe for a sentence: bounded, plain ASCII, one line. */
export function plainWord(word: string): string {
  const plain = word.slice(0, SHOWN).replace(HARMFUL, '?');
  return word.length > SHOWN ? `${plain}...` : plain;
}
