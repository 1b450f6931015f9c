import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ConfigurationError } from '../base/index.ts';

/**
 * The certificates of `client.caFile`, as TLS takes them.
 * @param file relative to the working directory
 * @throws ConfigurationError where it cannot be read or begins with no certificate: TLS would trust none of it, and say nothing
 */
export function readCaFile(file: string): string {
  try {
    const text = readFileSync(file, 'utf8');
    new X509Certificate(text);
    return text;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code?.startsWith('ERR_OSSL') ? 'holds no certificate in PEM' : `cannot be read: ${message}`;
    throw new ConfigurationError([{ path: 'client.caFile', message: why, hint: 'name a PEM file' }]);
  }
}
