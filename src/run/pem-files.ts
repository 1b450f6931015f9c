import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type ConfigProblem, ConfigurationError } from '../base/index.ts';

/** Files of `client` in a profile, each relative to the working directory. */
export interface PemFiles {
  readonly caFile?: string | undefined;
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

/** As a transport is opened with them. */
interface Certificates {
  readonly ca?: string;
  readonly certificate?: { readonly cert: string; readonly key: string };
}

/**
 * The certificates of a profile, as TLS takes them.
 * @throws ConfigurationError with every file that cannot be read, is not what it should be, or does not fit the other: TLS would trust
 *   none of it, or show nothing, without a word
 */
export function readCertificates({ caFile, certFile, keyFile }: PemFiles): Certificates {
  const problems: ConfigProblem[] = [];
  const told = <T>(member: keyof PemFiles, file: string | undefined, read: Read<T>): Pem<T> | undefined => {
    if (file === undefined) return undefined;
    const pem = pemIn(file, read);
    if ('parsed' in pem) return pem;
    problems.push({ path: `client.${member}`, message: pem.why, hint: 'name a PEM file' });
    return undefined;
  };
  const ca = told('caFile', caFile, certificateIn);
  const cert = told('certFile', certFile, certificateIn);
  const key = told('keyFile', keyFile, keyIn);
  if (cert && key && !cert.parsed.checkPrivateKey(key.parsed)) {
    const message = 'is not the key of the certificate in certFile';
    problems.push({ path: 'client.keyFile', message, hint: 'name the file of its own key' });
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
  return {
    ...(ca && { ca: ca.text }),
    ...(cert && key && { certificate: { cert: cert.text, key: key.text } }),
  };
}

interface Pem<T> {
  readonly text: string;
  readonly parsed: T;
}

/** What a text holds. */
interface Read<T> {
  readonly parse: (text: string) => T;
  readonly what: string;
}

const certificateIn: Read<X509Certificate> = {
  parse: (text) => new X509Certificate(text),
  what: 'no certificate in PEM',
};
const keyIn: Read<KeyObject> = {
  parse: (text) => createPrivateKey(text),
  what: 'no private key in PEM, or one with a passphrase',
};

/** The messages of errors are of the file's name alone; never of what is in it. */
function pemIn<T>(file: string, { parse, what }: Read<T>): Pem<T> | { readonly why: string } {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return { why: `cannot be read: ${(error as Error).message}` };
  }
  try {
    return { text, parsed: parse(text) };
  } catch {
    return { why: `holds ${what}` };
  }
}
