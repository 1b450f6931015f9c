import { expect, it } from 'vitest';
import { sandboxProfile, type TransportChoice } from '../../api/index.ts';
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
});
