import { limitNames } from '../../api/index.ts';
import { ConfigurationError } from '../../base/index.ts';
import { findingKinds, isReadingOf, readingNames } from '../../check/index.ts';
import { type Fault, itemsOf, suggestion, valueAt } from '../../scenario/index.ts';
import { readCertificates } from './pem-files.ts';

/**
 * Faults of a profile that its schema cannot find: unknown names of readings and violations, which only the judge knows (a
 * mistyped reading would otherwise be treated as undeclared), and unusable certificate files.
 * @param profile the parsed file, of any shape
 */
export const profileFaults = (profile: unknown): readonly Fault[] => [
  ...limitNames.flatMap((limit) => readingFaults(profile, limit)),
  ...acceptedFaults(profile),
  ...certificateFaults(profile),
];

const UNKNOWN = 'unknown';

function readingFaults(profile: unknown, limit: (typeof limitNames)[number]): readonly Fault[] {
  const path = ['limits', limit, 'reading'];
  const reading = valueAt(profile, path);
  if (typeof reading !== 'string' || reading === UNKNOWN || isReadingOf(limit, reading)) return [];
  const fault = unknownWord(path, reading, [...readingNames(limit), UNKNOWN]);
  return [limit === 'rate' && /^(sliding|moving)-window$/.test(reading) ? { ...fault, hint: WHICH_WINDOW } : fault];
}

/** Many products call both by one name, and each refuses what the other admits: so that name is no alias of either. */
const WHICH_WINDOW =
  'write sliding-log if it remembers when each request came, or sliding-counter if it weighs the count of the window before';

function acceptedFaults(profile: unknown): readonly Fault[] {
  const known = [...limitNames, ...Object.keys(findingKinds)];
  return itemsOf(valueAt(profile, ['accepted'])).flatMap((_, index): readonly Fault[] => {
    const path = ['accepted', index, 'violation'];
    const violation = valueAt(profile, path);
    return typeof violation !== 'string' || known.includes(violation) ? [] : [unknownWord(path, violation, known)];
  });
}

function certificateFaults(profile: unknown): readonly Fault[] {
  const fileOf = (member: string) => {
    const file = valueAt(profile, ['client', member]);
    return typeof file === 'string' ? file : undefined;
  };
  try {
    readCertificates({ caFile: fileOf('caFile'), certFile: fileOf('certFile'), keyFile: fileOf('keyFile') });
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.problems.map(({ path, message, hint }) => ({
      path: path.split('.'),
      message,
      ...(hint !== undefined && { hint }),
    }));
  }
}

const unknownWord = (path: Fault['path'], word: string, known: readonly string[]): Fault => ({
  path,
  message: `"${word}" is not known`,
  hint: suggestion(word, known),
});
