import { z } from 'zod';
import { wholeNumber } from '../../api/index.ts';
import { Duration } from './duration.ts';

const cap = wholeNumber().min(1).max(100_000_000);

/**
 * How long and how much the service remembers; keeps its memory bounded. Tokens have no setting for time: a token is forgotten
 * once it has been expired for as long as it was valid. Open turns and their conversations are never forgotten.
 * Measured with short texts, a token takes 0.34 kB, a conversation 0.64 kB and a turn 1.1 kB: half a gigabyte at the default maxima.
 */
export const Retention = z.strictObject({
  time: Duration.refine((ms) => ms >= 1, 'must be at least 1ms')
    .prefault('7d')
    .describe('A conversation is forgotten with its turns this long after it was created or its last turn finished.'),
  turns: cap
    .default(200_000)
    .describe('Maximum of turns; beyond it, the turns that finished first are forgotten. Their conversations stay.'),
  conversations: cap
    .default(200_000)
    .describe(
      'Maximum of conversations; beyond it, those without an open turn that have been idle longest are forgotten.',
    ),
  tokens: cap
    .default(500_000)
    .describe('Maximum of tokens; beyond it, those that expire first are forgotten, even if they are still valid.'),
});
export type Retention = z.infer<typeof Retention>;
