import { type Fault, valueAt } from './faults.ts';

const USERINFO = /^\s*https?:[\\/]*([^\\/?#]*)@/i;
const FROM_ENVIRONMENT = /\$\{env\.\w+\}/g;

/**
 * Reports a proxy's password written in the file, where it would be stored and shared. A user name alone may be a token, too.
 * @param profile as written, before variables are replaced
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
