import { limitNames, type TargetProfile } from '../api/index.ts';
import { type ConfigProblem, ConfigurationError, nearest } from '../base/index.ts';
import { findingKinds, limitsWithReading, readingNames } from '../check/index.ts';

/**
 * The words of a profile that only the judge knows: readings, and what may be accepted. A mistyped reading would be judged as
 * if none were declared, and say nothing.
 * @param file where the profile stands
 * @throws ConfigurationError with every unknown word
 */
export function checkJudgedWords({ limits, accepted }: TargetProfile, file: string): void {
  const readings = limitNames.flatMap((limit): ConfigProblem[] => {
    const { reading } = limits[limit];
    if (reading === UNKNOWN || limitsWithReading(reading).includes(limit)) return [];
    return [problem(file, `limits.${limit}.reading`, reading, [...readingNames(limit), UNKNOWN])];
  });
  const known = [...limitNames, ...Object.keys(findingKinds)];
  const violations = accepted.flatMap(({ violation }, index) =>
    known.includes(violation) ? [] : [problem(file, `accepted[${index}].violation`, violation, known)],
  );
  const problems = [...readings, ...violations];
  if (problems.length > 0) throw new ConfigurationError(problems);
}

const UNKNOWN = 'unknown';

function problem(file: string, path: string, word: string, known: readonly string[]): ConfigProblem {
  const near = nearest(word, known);
  return {
    file,
    path,
    message: `"${word}" is not known`,
    hint: near === undefined ? `write one of ${known.join(', ')}` : `did you mean ${near}?`,
  };
}
