import { describe, expect, it } from 'vitest';
import { type DefectId, defectIds, unobservableDefectIds } from '../../api/index.ts';
import { CoreClient } from '../core-client.exam.ts';
import { advice } from './advice/advice.exam.ts';
import { day } from './day/day.exam.ts';
import { sitDefectExam } from './defect.exam.ts';
import { idempotency } from './idempotency/idempotency.exam.ts';
import { defectDescriptions, describeDefects } from './index.ts';
import { overAdmission } from './over-admission/over-admission.exam.ts';
import { scope } from './scope/scope.exam.ts';
import { slots } from './slots/slots.exam.ts';
import { wrongfulRefusal } from './wrongful-refusal/wrongful-refusal.exam.ts';

const exams = [...overAdmission, ...wrongfulRefusal, ...scope, ...advice, ...slots, ...idempotency, ...day];

/** The whole catalogue of limit defects that were found in real limiters and APIs. */
const catalogue = `
  O1 O2 O3 O4 O5 O6 O7 O8 O12 O13 O14 O16 O17 O19 O20 O21 O22 O23 O24
  W1 W2 W3 W4 W5 W6 W7 W9 W10 W11 W13 W15 W16 W18 W19 W20 W21 W22 W23
  S1 S3 S4 S5 S6 S7
  H1 H2 H3 H4 H5 H6 H7 H8 H9 H10 H11 H12
  C1 C2 C4 C5 C7 C8
  I1 I2 I3 I4 I5 I7 I9 I10 I11
  D2 D3 D4 D5 D6
`;

describe('each defect shows, and the honest sandbox does not show it', () => {
  it.each(exams.map((exam) => ({ id: exam.id, probe: exam.probe, exam })))('$id: $probe', ({ exam }) => {
    sitDefectExam(exam);
  });

  it('not too early: the first, slow requests are served under each defect except W2, which serves none', () => {
    for (const id of defectIds.filter((each) => each !== 'W2')) {
      const client = new CoreClient({ defects: [id] });
      const first = [client.converse(), client.at(3_000).send('m1'), client.at(6_000).history()];
      expect({ id, first: first.map(({ status }) => status) }).toEqual({ id, first: [201, 202, 200] });
    }
  });

  it('O12 admits half as much again as 20 per minute under steady overload', () => {
    const admitted = (defects: DefectId[]) => {
      const client = new CoreClient({ defects, limits: { rate: { algorithm: 'gcra' } } });
      for (let i = 0; i < 20; i++) client.converse();
      const statuses = Array.from({ length: 3_000 }, (_, i) => client.at((i + 1) * 100).converse().status);
      return statuses.filter((status) => status === 201).length;
    };
    // Five minutes after the burst.
    expect([admitted([]), admitted(['O12'])]).toEqual([100, 150]);
  });

  it('has an exam for every one', () => {
    const elsewhere = ['C7'];
    expect(new Set([...exams.map(({ id }) => id), ...elsewhere])).toEqual(new Set(defectIds));
  });
});

describe('the table of defects', () => {
  it('is the whole catalogue: each entry is available, or says why not', () => {
    const ids = catalogue.trim().split(/\s+/);
    expect(ids).toHaveLength(76);
    expect([...defectIds, ...unobservableDefectIds].sort()).toEqual([...ids].sort());
  });

  it('describes each in sentences, with what it sets', () => {
    expect(defectDescriptions.map(({ id }) => id)).toEqual(defectIds);
    for (const { says } of defectDescriptions) expect(says).toMatch(/^[A-Z].{30,}\.$/s);
    expect(defectDescriptions.find(({ id }) => id === 'O16')).toEqual({
      id: 'O16',
      family: 'over-admission',
      limit: 'rate',
      says: 'The sliding counter looks up the previous window under the wrong key and finds nothing: it is a fixed window, which admits twice the limit around a boundary. Sets the rate algorithm sliding-counter, unless something else is given.',
    });
    expect(defectDescriptions.find(({ id }) => id === 'I1')).not.toHaveProperty('limit');
  });

  it('prints all of it', () => {
    const text = describeDefects();
    for (const id of [...defectIds, ...unobservableDefectIds]) expect(text).toMatch(new RegExp(`^  ${id} +[A-Z]`, 'm'));
  });
});
