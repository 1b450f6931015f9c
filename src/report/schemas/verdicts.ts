import { z } from 'zod';
import { limitNames } from '../../api/index.ts';
import type {
  AcceptedProof,
  Finding,
  LimitVerdict,
  Proof,
  Refusals,
  Soundness,
  WrongfulRefusedExchange,
} from '../../check/index.ts';
import { CertificateSchema, ExchangeRefSchema, WrongfulRefusalSchema } from './certificates.ts';
import { count, flag, memberOf, objectOf, text } from './parts.ts';
import { because, InferenceSchema, ReadingSchema } from './readings.ts';

const limit = z.enum(limitNames).describe('The limit');

const proven = z.enum(['proven', 'not-proven']);
const judgedLimit = {
  limit,
  declared: text('The declared reading; unknown where none is'),
  overAdmission: proven.describe('More was admitted than any reading that is judged allows'),
  wrongfulRefusal: proven.describe('A refusal has no cause under any reading that is judged'),
  readings: z.array(ReadingSchema).describe('Those that were judged'),
  inference: InferenceSchema.optional(),
};
export const LimitSchema = z
  .union([
    memberOf<Extract<LimitVerdict, { verdict: 'violated' }>>('The limit was not kept', {
      ...judgedLimit,
      verdict: z.literal('violated').describe('The declared reading is refuted; where none is declared, every one'),
      because,
      certificate: CertificateSchema,
    }),
    memberOf<Extract<LimitVerdict, { verdict: 'consistent' }>>('The limit was reached and kept', {
      ...judgedLimit,
      verdict: z.literal('consistent').describe('A reading survives, and a refusal is attributed to the limit'),
    }),
    memberOf<Extract<LimitVerdict, { verdict: 'undecided' }>>('It is unknown whether the limit was kept', {
      ...judgedLimit,
      verdict: z.literal('undecided').describe('Not reached, or evidence is missing'),
      missing: z.array(z.string()).describe('What is missing'),
    }),
  ])
  .meta({ id: 'Limit', description: 'The verdict on one limit' }) as z.ZodType<LimitVerdict>;

const refusals = count('Refusals');

export const RefusalsSchema = memberOf<Refusals>('Answers with status 429', {
  total: count('429s'),
  unnamed: count(
    'Refusals without an error code, or whose code names no limit: attributed by elimination; some may come from an intermediary',
  ),
  attributed: memberOf<Refusals['attributed']>(
    'By the limit that refused, identified by its code or by elimination; ambiguous: several limits may have refused, or an intermediary',
    {
      rate: refusals,
      concurrency: refusals,
      daily: refusals,
      ambiguous: refusals,
    },
  ),
  wrongful: z
    .array(
      memberOf<WrongfulRefusedExchange>('A refusal that no reading of any limit explains', {
        exchange: ExchangeRefSchema,
        certificates: z.array(WrongfulRefusalSchema).describe('One proof per limit that it may belong to'),
      }),
    )
    .describe('At most twenty'),
});

export const FindingSchema = objectOf<Finding>('Finding', 'Misbehaviour beside the limits', {
  kind: text('Stable name of the kind'),
  basis: z
    .enum(['specification', 'profile', 'observation'])
    .describe('What it violates; an observation is reported and never fails a run'),
  claim: text('One sentence'),
  exchanges: z.array(ExchangeRefSchema).describe('What shows it'),
  data: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.union([z.string(), z.number()]))]))
    .describe('The numbers and names in the claim')
    .optional(),
  certificates: z
    .array(WrongfulRefusalSchema)
    .describe('Proofs that it rests on; absent: the exchanges alone show it')
    .optional(),
  total: count('How many of this kind and basis there are; absent: all are listed').optional(),
});

export const SoundnessSchema = memberOf<Soundness>('What the verdicts rest on', {
  exclusive: flag('Nobody else used the credentials'),
  flushed: memberOf<Soundness['flushed']>('Whether the window was empty at the start, by limit', {
    rate: flag('Rate'),
    concurrency: flag('Concurrency'),
    daily: flag('Daily'),
  }),
  complete: flag('Whether every request that was sent has its record'),
  skipped: z
    .record(z.string(), count('Records'))
    .describe('Number of records not used as evidence, by what is wrong with them'),
});

export const ProofSchema = memberOf<Proof>('Something proven that fails the run', {
  violation: text("A limit, wrongful-refusal, or the kind of a finding: what a profile's accepted list names"),
  claim: text('One sentence'),
});
export const AcceptedSchema = memberOf<AcceptedProof>('Something proven that the profile accepts', {
  violation: text('As in proven'),
  claim: text('One sentence'),
  reason: text('Why, as the profile says'),
});
