import { z } from 'zod';
import type {
  Inference,
  Parameters,
  Possible,
  ProposedExperiment,
  Range,
  ReadingVerdict,
  RuledOut,
} from '../../check/index.ts';
import { CertificateSchema, ExchangeRefSchema } from './certificates.ts';
import { count, memberOf, objectOf, share, text } from './parts.ts';

/*
 * Schemas of readings (exact meanings that a limit may have) and of what a limit behaves as.
 */

export const because = z
  .enum(['over-admission', 'wrongful-refusal', 'inconsistent'])
  .describe('What is proven; inconsistent: what was admitted and what was refused contradict one another');

const judged = {
  reading: text('One exact meaning of the limit'),
  scope: text('Scope: which attempts share a bucket'),
  counts: text('Which attempts count'),
};
const range = (description: string) =>
  memberOf<Range>(`${description}; an end is absent if nothing bounds it`, {
    from: share('From').optional(),
    to: share('To, included').optional(),
  }).optional();
const ParametersSchema = objectOf<Parameters>(
  'Parameters',
  'Parameters with which a reading explains the history, each with the others as declared',
  {
    max: range('Maximum per window, or at once'),
    windowUs: range('Length of the window, service time (µs)'),
    capacity: range('Capacity of a bucket'),
    perWindow: range('Refill of a bucket per declared window'),
    releaseGraceUs: range('How long a slot stays occupied after its turn (µs)'),
    phaseUs: z
      .array(z.tuple([z.number(), z.number()]))
      .describe(
        'Possible starts of windows: intervals of service time since 1970 modulo the window (µs). If the first number of an interval is the greater one, the interval goes on from the end of the window to its beginning',
      )
      .optional(),
  },
);
export const ReadingSchema = z
  .union([
    memberOf<Extract<ReadingVerdict, { state: 'refuted' }>>('The service does not behave like this', {
      ...judged,
      state: z.literal('refuted').describe('Refuted'),
      because,
      certificate: CertificateSchema,
    }),
    memberOf<Extract<ReadingVerdict, { state: 'survives' }>>('The service may behave like this', {
      ...judged,
      state: z.literal('survives').describe('Not refuted'),
      parameters: ParametersSchema.optional(),
    }),
  ])
  .meta({ id: 'Reading', description: 'Result for one reading' }) as z.ZodType<ReadingVerdict>;

export const InferenceSchema = objectOf<Inference>('Inference', 'What a limit behaves as; no verdict rests on it', {
  behaves: text('Short form'),
  sentence: text('What it behaves as, and which requests rule out other readings'),
  possible: z
    .array(
      memberOf<Possible>('A possible reading', {
        ...judged,
        says: text('Completes “behaves as” and “readings explain it:”'),
        parameters: ParametersSchema.optional(),
        fits: text('The parameters in words').optional(),
      }),
    )
    .describe('Readings that agree with the history, the declared one first; empty: no known reading does'),
  ruledOut: z
    .array(
      memberOf<RuledOut>('A reading that is ruled out', {
        reading: judged.reading,
        because,
        from: ExchangeRefSchema,
        to: ExchangeRefSchema,
      }),
    )
    .describe('Readings with the first and the last of the exchanges that rule them out'),
  attempts: count('How many attempts from the beginning were looked at; absent: all').optional(),
  experiment: memberOf<ProposedExperiment>('An experiment that distinguishes the possible readings', {
    sentence: text('One sentence'),
    bursts: z
      .array(
        memberOf<NonNullable<ProposedExperiment['bursts']>[number]>('Simultaneous requests', {
          atUs: share('Time since the first burst (µs)'),
          requests: count('Requests'),
        }),
      )
      .describe('For the rate limit; to be sent after a whole window without requests')
      .optional(),
    expected: z
      .array(
        memberOf<NonNullable<ProposedExperiment['expected']>[number]>('The typical result for a reading', {
          reading: judged.reading,
          admitted: z.array(count('Requests')).describe('Number of admitted requests of each burst'),
        }),
      )
      .describe('By reading')
      .optional(),
  }).optional(),
});
