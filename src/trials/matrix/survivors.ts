import type { DefectId } from '../../api/index.ts';

/** Defects that no shipped scenario shows, with the reason why none can. */
export const survivors: Readonly<Partial<Record<DefectId, string>>> = {
  H12: 'It affects the message of an error, which is a text for people. Texts are not recorded, and nothing specifies their content.',
};

/** Defects that are shown but cannot be proven: by observations, or by an unmet expectation of the scenario. */
export const unproven: Readonly<Partial<Record<DefectId, string>>> = {
  O22: 'Nothing specifies whether invalid requests count. Only an expectation of the scenario, which knows the sandbox, shows it.',
  W7: 'Nothing specifies that refusals during a penalty do not extend it; the reading of a penalty allows both. It is observed that the advised wait does not become shorter.',
  H1: 'Retry-After is advice and no guarantee (RFC 9110 section 10.2.3): errors in it are observed but never judged.',
  H2: 'See H1.',
  H3: 'See H1. A 429 may have the header but need not (RFC 6585 section 4).',
  H4: 'See H1.',
  H5: 'See H1. The draft of RateLimit guarantees nothing about its numbers.',
  H6: 'See H1.',
  H7: 'See H1. A service may advise a longer wait than necessary.',
  H8: 'A server may omit RateLimit from any answer.',
  H9: 'See H8. The remaining quota is no guarantee.',
  H10: 'See H8.',
  H11: 'See H1. Rounding up may add as much as a second.',
  C7: 'Slots are lost only if the process of the service is killed and restarted with its store, which no client can do; the tests of the sandbox do it and see the defect. Otherwise it only shows as refusals without Retry-After, which is allowed.',
  I3: 'A service may answer 500, and nothing guarantees that a failed message succeeds when it is sent again.',
  I4: 'A service may answer 503, even if another attempt with the same message has just succeeded.',
};
