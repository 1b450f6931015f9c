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
 * What became of the meanings that a limit may have, and what it behaves as.
 */

export const because = z.enum(['over-admission', 'wrongful-refusal', 'inconsistent']).describe('What is proven');

const judged = {
  reading: text('One exact meaning of the limit'),
  scope: text('Whose attempts share a bucket'),
  counts: text('What counts'),
};
const range = (description: string) =>
  memberOf<Range>(`${description}; without an end where nothing that was seen bounds it`, {
    from: share('From').optional(),
    to: share('To, included').optional(),
  }).optional();
const ParametersSchema = objectOf<Parameters>(
  'Parameters',
  'With what a reading explains everything, each while the others are as declared',
  {
    max: range('How many per window, or at once'),
    windowUs: range('Length of the window, service time (µs)'),
    capacity: range('What a bucket holds'),
    perWindow: range('What a bucket regains per declared window'),
    releaseGraceUs: range('How long a slot stays taken after its turn (µs)'),
    phaseUs: z
      .array(z.tuple([z.number(), z.number()]))
      .describe('Where windows can begin, service time since 1970 modulo the window (µs); an arc may pass its end')
      .optional(),
  },
);
export const ReadingSchema = z
  .union([
    memberOf<Extract<ReadingVerdict, { state: 'refuted' }>>('It cannot be what the service does', {
      ...judged,
      state: z.literal('refuted').describe('Refuted'),
      because,
      certificate: CertificateSchema,
    }),
    memberOf<Extract<ReadingVerdict, { state: 'survives' }>>('It may be what the service does', {
      ...judged,
      state: z.literal('survives').describe('Not refuted'),
      parameters: ParametersSchema.optional(),
    }),
  ])
  .meta({ id: 'Reading', description: 'What became of one reading' }) as z.ZodType<ReadingVerdict>;

export const InferenceSchema = objectOf<Inference>('Inference', 'What a limit behaves as; no verdict rests on it', {
  behaves: text('In short'),
  sentence: text('That, and by which requests other readings are ruled out'),
  possible: z
    .array(
      memberOf<Possible>('It may be this', {
        ...judged,
        says: text('Completes: behaves as'),
        parameters: ParametersSchema.optional(),
        fits: text('The same in words').optional(),
      }),
    )
    .describe('Readings that agree with the history, the declared one first; empty: no known reading does'),
  ruledOut: z
    .array(
      memberOf<RuledOut>('It is not this', {
        reading: judged.reading,
        because,
        from: ExchangeRefSchema,
        to: ExchangeRefSchema,
      }),
    )
    .describe('With the first and the last of the exchanges that rule it out'),
  experiment: memberOf<ProposedExperiment>('What to send to tell the possible ones apart', {
    sentence: text('One sentence'),
    bursts: z
      .array(
        memberOf<NonNullable<ProposedExperiment['bursts']>[number]>('So many at once', {
          atUs: share('So long after the first (µs)'),
          requests: count('Requests'),
        }),
      )
      .describe('Of the rate limit, after a whole window without requests')
      .optional(),
    expected: z
      .array(
        memberOf<NonNullable<ProposedExperiment['expected']>[number]>('What a reading mostly shows', {
          reading: judged.reading,
          admitted: z.array(count('Of each burst')).describe('How many are admitted'),
        }),
      )
      .describe('By reading')
      .optional(),
  }).optional(),
});
