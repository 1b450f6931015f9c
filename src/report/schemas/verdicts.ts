import { z } from 'zod';
import { limitNames } from '../../api/index.ts';
import type {
  AcceptedProof,
  Finding,
  Inference,
  LimitVerdict,
  Parameters,
  Possible,
  Proof,
  ProposedExperiment,
  Range,
  ReadingVerdict,
  Refusals,
  RuledOut,
  Soundness,
  WrongfulRefusedExchange,
} from '../../check/index.ts';
import { CertificateSchema, ExchangeRefSchema, WrongfulRefusalSchema } from './certificates.ts';
import { count, flag, memberOf, objectOf, share, text } from './parts.ts';

const because = z.enum(['over-admission', 'wrongful-refusal', 'inconsistent']).describe('What is proven');
const limit = z.enum(limitNames).describe('The limit');

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
const ReadingSchema = z
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

const InferenceSchema = objectOf<Inference>('Inference', 'What a limit behaves as; no verdict rests on it', {
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
    .describe('The declared one first; empty: nothing that is known here'),
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
    memberOf<Extract<LimitVerdict, { verdict: 'undecided' }>>('Nobody can tell', {
      ...judgedLimit,
      verdict: z.literal('undecided').describe('Not reached, or evidence is missing'),
      missing: z.array(z.string()).describe('What is missing'),
    }),
  ])
  .meta({ id: 'Limit', description: 'What became of one limit' }) as z.ZodType<LimitVerdict>;

const refusals = count('Refusals');

export const RefusalsSchema = memberOf<Refusals>('Answers with status 429', {
  total: count('429s'),
  unnamed: count(
    'Those whose error code names no limit, or that have none: attributed by elimination, perhaps of an intermediary',
  ),
  attributed: memberOf<Refusals['attributed']>(
    'By the limit that refused, by its code, else by elimination; ambiguous: several may have, or an intermediary',
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
    .describe('What it goes against; an observation is told and never fails a run'),
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
    .describe('Records that no accusation rests on, by what is wrong with them'),
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
