import { expect, it } from 'vitest';
import { loadedFrom } from '../../testing/virtual.ts';
import { shortSecrets } from './short-secrets.ts';

const why =
  'has fewer than 4 characters: it is not removed from answers, so an echo of it may get into the files of the run';

it.each([
  ['abcd', 'abcd', 'me:abcd', []],
  ['abc', 'abcd', 'me:abcd', [`the client secret of application a1 ${why}`]],
  ['abcd', 'ab', 'me:abcd', [`a value from the environment in client.headers ${why}`]],
  ['abcd', 'abcd', 'me:abc', [`the password or key in client.proxy ${why}`]],
  ['abcd', 'abcd', 'key', [`the password or key in client.proxy ${why}`]],
])(
  'a secret %j, a key %j and a proxy of %j are warned of if they are too short to be looked for',
  (secret, key, proxy, warnings) => {
    const loaded = loadedFrom({
      profile: { client: { headers: { 'x-key': 'Key ${env.KEY}' } } },
      journeys: { a: { steps: [{ createConversation: {} }] } },
      load: { model: 'burst', count: 1 },
    } as never);
    const credentials = { clientId: '${env.ID}', clientSecret: '${env.SECRET}' };
    loaded.profile.client.proxy = `http://${proxy}@proxy.example:3128`;
    const env = { ID: 'c', SECRET: secret, KEY: key };
    expect(shortSecrets({ ...loaded, applications: [{ label: 'a1', credentials }] }, env)).toEqual(warnings);
  },
);
