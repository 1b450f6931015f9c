import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sandboxProfile, type TransportChoice, type TransportName } from '../../api/index.ts';
import { realClock } from '../../base/index.ts';
import { openTransport } from './auto.ts';

const nameOf = async (choice: TransportChoice, baseUrl: string, proxy?: string) => {
  const common = { baseUrl, profile: sandboxProfile(), connections: 1, clock: realClock() };
  const transport = await openTransport(choice, { ...common, ...(proxy === undefined ? {} : { proxy }) });
  await transport.close();
  return transport.name;
};

it('selects wire for direct connections, undici through a proxy, and an explicit choice always', async () => {
  const [plain, tls, proxy] = ['http://127.0.0.1:1', 'https://127.0.0.1:1', 'http://127.0.0.1:3'];
  expect(await nameOf('auto', plain)).toBe('wire');
  expect(await nameOf('auto', tls)).toBe('wire');
  expect(await nameOf('auto', plain, proxy)).toBe('undici');
  expect(await nameOf('undici', plain)).toBe('undici');
  expect(await nameOf('wire', plain, proxy)).toBe('wire');
  expect(await nameOf('http2', plain)).toBe('http2');
});

/** What its test file says of the exam that it sits. A transport that is missing here does not compile. */
const exams: Readonly<Record<TransportName, string>> = {
  wire: "transportExam('wire', openWireTransport",
  undici: "transportExam('undici', openUndiciTransport",
  // The servers of that exam write HTTP/1.1.
  http2: "describe('http2: requests'",
};

it.each(Object.entries(exams))('%s sits an exam', (name, sat) => {
  expect(readFileSync(new URL(`./${name}.test.ts`, import.meta.url), 'utf8')).toContain(sat);
});
