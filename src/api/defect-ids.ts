/** biome-ignore-all format: one family a line */
/**
 * The defects that the embedded sandbox can have, by their ids in its catalogue: O admits too much, W refuses wrongly,
 * S counts the wrong requests together, H advises wrongly, C slots, I idempotency, D the day. They stand here so that a
 * scenario is checked with its line numbers; what each one does, the sandbox knows.
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

/** Entries of the same catalogue that no client of this API can ever see. */
export const unobservableDefectIds = ['O20', 'O23', 'W23', 'I10'] as const;
export type UnobservableDefectId = (typeof unobservableDefectIds)[number];
