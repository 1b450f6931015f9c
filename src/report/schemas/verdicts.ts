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
  declared: text('The declared reading; unknown if none is declared'),
  overAdmission: proven.describe('Whether more was admitted than any judged reading allows'),
  wrongfulRefusal: proven.describe('Whether a refusal has no cause under any judged reading'),
  readings: z.array(ReadingSchema).describe('The judged readings'),
  inference: InferenceSchema.optional(),
};
export const LimitSchema = z
  .union([
    memberOf<Extract<LimitVerdict, { verdict: 'violated' }>>('The limit was not kept', {
      ...judgedLimit,
      verdict: z.literal('violated').describe('The declared reading is refuted; if none is declared, all readings are'),
      because,
      certificate: CertificateSchema,
    }),
    memberOf<Extract<LimitVerdict, { verdict: 'consistent' }>>(
      'The limit was reached, and nothing that was admitted or refused contradicts it',
      {
        ...judgedLimit,
        verdict: z
          .literal('consistent')
          .describe(
            'A reading survives, a refusal is attributed to the limit, and a much lower limit would have been noticed',
          ),
      },
    ),
    memberOf<Extract<LimitVerdict, { verdict: 'undecided' }>>('It is unknown whether the limit was kept', {
      ...judgedLimit,
      verdict: z.literal('undecided').describe('Not reached, or evidence is missing'),
      missing: z.array(z.string()).describe('What is missing'),
    }),
  ])
  .meta({ id: 'Limit', description: 'The verdict on one limit' }) as z.ZodType<LimitVerdict>;

const refusals = count('Refusals');

export const RefusalsSchema = memberOf<Refusals>('Refusals; 429 stands for other statuses, too', {
  total: count('429s'),
  unnamed: count(
    'Refusals without an error code, or with a code that names no limit. They are attributed by elimination; some may come from an intermediary',
  ),
  attributed: memberOf<Refusals['attributed']>(
    'Refusals by limit, identified by the error code or by elimination; ambiguous: several limits, or an intermediary, may have refused',
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

export const FindingSchema = objectOf<Finding>('Finding', 'Misbehaviour other than of the limits', {
  kind: text('Stable name of the kind'),
  basis: z
    .enum(['specification', 'profile', 'observation'])
    .describe('What it violates; an observation violates nothing and never fails a run'),
  claim: text('One sentence'),
  exchanges: z.array(ExchangeRefSchema).describe('The exchanges that show it'),
  data: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.union([z.string(), z.number()]))]))
    .describe('The numbers and names in the claim')
    .optional(),
  certificates: z
    .array(WrongfulRefusalSchema)
    .describe('Proofs of the finding; absent: the exchanges alone show it')
    .optional(),
  total: count('Number of findings of this kind and basis; absent: all are listed').optional(),
});

export const SoundnessSchema = memberOf<Soundness>('Assumptions and evidence of the verdicts', {
  exclusive: flag('Whether nobody else used the credentials'),
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

export const ProofSchema = memberOf<Proof>('A proven violation that fails the run', {
  violation: text('A limit, wrongful-refusal, or the kind of a finding; the name for the accepted list of a profile'),
  claim: text('One sentence'),
});
export const AcceptedSchema = memberOf<AcceptedProof>('A proven violation that the profile accepts', {
  violation: text('As in proven'),
  claim: text('One sentence'),
  reason: text('The reason given in the profile'),
});
