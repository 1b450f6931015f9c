import { z } from 'zod';
import { wholeNumber } from '../../api/index.ts';
import { Duration } from './duration.ts';

const cap = wholeNumber().min(1).max(100_000_000);

/**
 * How long and how much the service remembers, so that its memory stays bounded however long it is used. Tokens need no time
 * of their own: one is forgotten once it has been expired for as long as it lived. What is in process is never forgotten.
 * Measured with short texts, a token takes 0.34 kB, a conversation 0.64 kB and a turn 1.1 kB: half a gigabyte for all defaults.
 */
export const Retention = z.strictObject({
  time: Duration.refine((ms) => ms >= 1, 'must be at least 1ms')
    .prefault('7d')
    .describe('A conversation goes, with all that is in it, so long after it was created or its last turn finished.'),
  turns: cap
    .default(200_000)
    .describe('Of more turns, the finished ones that were accepted first go; their conversations stay.'),
  conversations: cap
    .default(200_000)
    .describe('Of more conversations without an open turn, those that have been idle longest go.'),
  tokens: cap.default(500_000).describe('Of more tokens, those that expire first go, good or not.'),
});
export type Retention = z.infer<typeof Retention>;
