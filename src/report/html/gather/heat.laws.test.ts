import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { us } from '../../../testing/history/sample-records.ts';
import { exchange } from '../../exporters/journals.exam.ts';
import { HeatGatherer } from './heat.ts';

describe('heat map', () => {
  it('has twice as wide columns from the instant on that would need one column more', () => {
    const columnOf = (at: number) => {
      const gatherer = new HeatGatherer();
      gatherer.add(exchange(0, { intendedAt: us(at), sentAt: us(at), receivedAt: us(at) }));
      const { service, columnUs } = gatherer.map();
      return [service[0], columnUs];
    };
    expect([columnOf(3_999_999), columnOf(4_000_000)]).toEqual([
      [159, 25_000],
      [80, 50_000],
    ]);
  });

  it('counts every success once in each of its maps, in at most 160 columns, in the column and row where it belongs', () => {
    const success = fc.record({ at: fc.nat(2_000_000_000), service: fc.nat(90_000_000), waited: fc.nat(1_000_000) });
    fc.assert(
      fc.property(fc.array(success, { minLength: 1, maxLength: 60 }), (successes) => {
        const gatherer = new HeatGatherer();
        for (const { at, service, waited } of successes)
          gatherer.add(
            exchange(0, { intendedAt: us(at), sentAt: us(at + waited), receivedAt: us(at + waited + service) }),
          );
        const map = gatherer.map();
        expect(map.service.filter((column, index) => index % 3 === 0 && column >= 160)).toEqual([]);
        const cellsOf = (list: readonly number[]) => {
          const cells = new Map<string, number>();
          for (let i = 0; i < list.length; i += 3) cells.set(`${list[i]},${list[i + 1]}`, list[i + 2] ?? 0);
          return cells;
        };
        const expected = new Map<string, number>();
        for (const { at, service, waited } of successes) {
          const row = Math.floor(Math.log10(Math.max(1, service)) * map.rowsPerDecade + 1e-9);
          const key = `${Math.floor((at + waited) / map.columnUs)},${row}`;
          expected.set(key, (expected.get(key) ?? 0) + 1);
        }
        expect(cellsOf(map.service)).toEqual(expected);
        const responses = new Map<string, number>();
        for (const { at, service, waited } of successes) {
          const row = Math.floor(Math.log10(Math.max(1, waited + service)) * map.rowsPerDecade + 1e-9);
          const key = `${Math.floor(at / map.columnUs)},${row}`;
          responses.set(key, (responses.get(key) ?? 0) + 1);
        }
        expect(cellsOf(map.response)).toEqual(responses);
      }),
    );
  });
});
