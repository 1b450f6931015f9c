import { type Fault, valueAt } from './faults.ts';

const USERINFO = /^\s*https?:[\\/]*([^\\/?#]*)@/i;
const FROM_ENVIRONMENT = /\$\{env\.\w+\}/g;

/**
 * A proxy's password that stands in the file, where it would be kept and shared. A user's name alone may be a token.
 * @param profile as it is written, before variables are filled in
 */
export function proxyFaults(profile: unknown): readonly Fault[] {
  const path = ['client', 'proxy'];
  const written = valueAt(profile, path);
  const [, userinfo] = (typeof written === 'string' && USERINFO.exec(written)) || [];
  if (userinfo === undefined) return [];
  const bare = userinfo.replace(FROM_ENVIRONMENT, '');
  const secret = bare.includes(':') ? bare.slice(bare.indexOf(':') + 1) : bare;
  if (secret === '') return [];
  return [
    {
      path,
      message: 'must not contain credentials',
      hint: 'take them from the environment: "http://${env.PROXY_USER}:${env.PROXY_PASSWORD}@proxy.example:3128", or "${env.PROXY_URL}" as a whole',
    },
  ];
}
