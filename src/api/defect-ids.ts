/** biome-ignore-all format: one family per line */
/**
 * Ids of the defects that the embedded sandbox can have: O over-admission, W wrongful refusal, S wrong scope, H wrong headers,
 * C concurrency slots, I idempotency, D daily limit. The ids are here so that a scenario can be validated with line numbers;
 * the sandbox defines what each defect does.
 */
export const defectIds = [
  'O1', 'O2', 'O3', 'O4', 'O5', 'O6', 'O7', 'O8', 'O12', 'O13', 'O14', 'O16', 'O17', 'O19', 'O21', 'O22', 'O24',
  'W1', 'W2', 'W3', 'W4', 'W5', 'W6', 'W7', 'W9', 'W10', 'W11', 'W13', 'W15', 'W16', 'W18', 'W19', 'W20', 'W21', 'W22',
  'S1', 'S3', 'S4', 'S5', 'S6', 'S7',
  'H1', 'H2', 'H3', 'H4', 'H5', 'H6', 'H7', 'H8', 'H9', 'H10', 'H11', 'H12',
  'C1', 'C2', 'C4', 'C5', 'C7', 'C8',
  'I1', 'I2', 'I3', 'I4', 'I5', 'I7', 'I9', 'I11',
  'D2', 'D3', 'D4', 'D5', 'D6',
] as const;
export type DefectId = (typeof defectIds)[number];

/** Defects of the same catalogue that a client of this API cannot observe. */
export const unobservableDefectIds = ['O20', 'O23', 'W23', 'I10'] as const;
export type UnobservableDefectId = (typeof unobservableDefectIds)[number];
