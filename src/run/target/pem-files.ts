import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type ConfigProblem, ConfigurationError, whyNotRead } from '../../base/index.ts';

/** The files that a profile names in `client`, relative to the working directory. */
interface PemFiles {
  readonly caFile?: string | undefined;
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

/** Certificates and key in PEM, for a transport. */
interface Certificates {
  readonly ca?: string;
  readonly certificate?: { readonly cert: string; readonly key: string };
}

/**
 * Reads the certificates of a profile.
 * @throws ConfigurationError with every file that cannot be read, has the wrong content, or does not match the other file: TLS
 *   itself would silently not use them
 */
export function readCertificates({ caFile, certFile, keyFile }: PemFiles): Certificates {
  const problems: ConfigProblem[] = [];
  const readPem = <T>(member: keyof PemFiles, file: string | undefined, parser: Parser<T>): Pem<T> | undefined => {
    if (file === undefined) return undefined;
    const pem = pemIn(file, parser);
    if ('parsed' in pem) return pem;
    problems.push({ path: `client.${member}`, message: pem.why, hint: 'name a PEM file' });
    return undefined;
  };
  const ca = readPem('caFile', caFile, certificateParser);
  const cert = readPem('certFile', certFile, certificateParser);
  const key = readPem('keyFile', keyFile, keyParser);
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

interface Parser<T> {
  readonly parse: (text: string) => T;
  /** Completes "holds …" if parsing fails. */
  readonly what: string;
}

const certificateParser: Parser<X509Certificate> = {
  parse: (text) => new X509Certificate(text),
  what: 'no certificate in PEM',
};
const keyParser: Parser<KeyObject> = {
  parse: (text) => createPrivateKey(text),
  what: 'no private key in PEM, or one with a passphrase',
};

/** Error messages never contain the file's content. */
function pemIn<T>(file: string, { parse, what }: Parser<T>): Pem<T> | { readonly why: string } {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return { why: whyNotRead(error, '').message };
  }
  try {
    return { text, parsed: parse(text) };
  } catch {
    return { why: `holds ${what}` };
  }
}
