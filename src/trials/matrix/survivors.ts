import type { DefectId } from '../../api/index.ts';

/** Defects that no shipped scenario shows at all, each with the reason why none can. */
export const survivors: Readonly<Partial<Record<DefectId, string>>> = {
  H12: 'It is in the message of an error, which is a text for people; texts are not recorded, and nothing says what must stand in them.',
};

/** Defects that are shown and cannot be proven: told as observations, or met by an expectation of the scenario. */
export const unproven: Readonly<Partial<Record<DefectId, string>>> = {
  O22: 'Nothing says that a request found invalid counts, nor that it does not; only what the scenario expects of the sandbox shows it.',
  W7: 'Of a penalty it is nowhere said that refusals during it leave it as it is: the reading of a penalty allows both. That the advised wait does not become shorter is told.',
  H1: 'Retry-After is advice and no guarantee (RFC 9110 section 10.2.3): what is wrong with it is told and never judged.',
  H2: 'As H1.',
  H3: 'As H1; a 429 may carry it, and need not (RFC 6585 section 4).',
  H4: 'As H1.',
  H5: 'As H1; and the draft of RateLimit promises nothing of the numbers it carries.',
  H6: 'As H1.',
  H7: 'As H1; a service may advise to wait longer than it must.',
  H8: 'A server may leave RateLimit out of any answer.',
  H9: 'As H8: what is told to be left is no guarantee.',
  H10: 'As H8.',
  H11: 'As H1; a second is as much as rounding up may add.',
  C7: 'Slots are lost when the process of the service is killed and started again over what it kept: no client can do that. The tests of the sandbox do, and see it. All that shows otherwise is that refusals tell no time to come again, which none need tell.',
  I3: 'A service may answer 500, and nothing promises that what failed succeeds when it is sent again.',
  I4: 'A service may answer 503, also where another attempt at the same message has just succeeded.',
};
