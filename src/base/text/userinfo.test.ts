import { describe, expect, it } from 'vitest';
import { withoutUserinfo } from './userinfo.ts';

describe('user names and passwords of addresses', () => {
  it.each([
    ['http://user:hunter2@proxy.example:3128/', 'http://proxy.example:3128/'],
    ['https://hunter2@api.example/a@b', 'https://api.example/a@b'],
    ['http://user:hunter@2@api.example', 'http://api.example'],
    ['http://user:hunter 2@api.example', 'http://api.example'],
    ['http:user:hunter2@api.example', 'http:api.example'],
    ['--proxy=socks5://user:hunter2@proxy.example', '--proxy=socks5://proxy.example'],
    ['see https://api.example, or write to me@example.com', 'see https://api.example, or write to me@example.com'],
  ])('%s becomes %s', (given, expected) => {
    expect(withoutUserinfo({ deep: [{ address: given }] })).toEqual({ deep: [{ address: expected }] });
  });
});
