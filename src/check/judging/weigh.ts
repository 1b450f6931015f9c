import { z } from 'zod';
import type { LimitName } from '../../api/index.ts';
import type { Verdicts } from '../verdict.ts';

/** Something that is proven and can fail a run. */
export interface Proof {
  /** A limit (`rate`), `wrongful-refusal`, or the kind of a finding; the profile's `accepted` uses the same names. */
  readonly violation: string;
  readonly claim: string;
}

export interface AcceptedProof extends Proof {
  /** The profile's reason for accepting it. */
  readonly reason: string;
}

/** What is proven against the service, and which of it the profile accepts. */
export interface Weighed {
  /** Fails the run unless it is empty. */
  readonly proven: readonly Proof[];
  readonly accepted: readonly AcceptedProof[];
}

const Accepting = z
  .object({ accepted: z.array(z.object({ violation: z.string(), reason: z.string() })) })
  .catch({ accepted: [] });

/**
 * Lists what counts against a service: violated limits, refusals that no limit explains, and findings whose basis is the
 * specification or the profile. One proof per violation, the first of its kind.
 * @param profile `Header.profile`, for its `accepted`
 */
export function weigh(verdicts: Verdicts, profile: unknown): Weighed {
  const { accepted } = Accepting.parse(profile);
  const reasonFor = ({ violation }: Proof) => accepted.find((one) => one.violation === violation)?.reason;
  const proofs = [...violatedLimits(verdicts), ...wrongfulRefusals(verdicts, accepted), ...countingFindings(verdicts)];
  const first = proofs.filter(({ violation }, i) => proofs.findIndex((one) => one.violation === violation) === i);
  return {
    proven: first.filter((proof) => reasonFor(proof) === undefined),
    accepted: first.flatMap((proof) => {
      const reason = reasonFor(proof);
      return reason === undefined ? [] : [{ ...proof, reason }];
    }),
  };
}

const violatedLimits = ({ limits }: Verdicts): Proof[] =>
  limits.flatMap((limit) =>
    limit.verdict === 'violated' ? [{ violation: limit.limit, claim: limit.certificate.claim }] : [],
  );

/** Refusals that are wrongful under every possible limit. If one of these limits is violated or accepted itself, that covers them. */
function wrongfulRefusals(
  { refusals, limits }: Verdicts,
  accepted: readonly { readonly violation: string }[],
): Proof[] {
  const isTold = (limit: LimitName) =>
    limits.some((one) => one.limit === limit && one.verdict === 'violated') ||
    accepted.some(({ violation }) => violation === limit);
  return refusals.wrongful
    .filter(({ certificates }) => !certificates.some(({ limit }) => isTold(limit)))
    .map(({ exchange, certificates }) => ({
      violation: 'wrongful-refusal',
      claim: certificates[0]?.claim ?? `request ${exchange} was refused, and no limit explains it`,
    }));
}

const countingFindings = ({ findings }: Verdicts): Proof[] =>
  findings.filter(({ basis }) => basis !== 'observation').map(({ kind, claim }) => ({ violation: kind, claim }));
