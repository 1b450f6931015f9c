import { generateKeyPairSync, sign } from 'node:crypto';

/*
 * A self-signed certificate for localhost and 127.0.0.1 (RFC 5280). Encoded as DER here, because Node cannot create certificates
 * and openssl may not be installed.
 */

function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...contents: readonly Buffer[]) => der(0x30, ...contents);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const octets = (content: Buffer) => der(0x04, content);
const yes = der(0x01, Buffer.from([0xff]));
const text = (tag: number, value: string) => der(tag, Buffer.from(value, 'latin1'));

const ECDSA_WITH_SHA256 = '2a8648ce3d040302';
const COMMON_NAME = '550403';
const SUBJECT_ALT_NAME = '551d11';
const BASIC_CONSTRAINTS = '551d13';

/** PEM of the key and of the certificate, which is its own authority; valid from 2025 to 2049. */
export function selfSigned(): { readonly key: string; readonly cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(oid(ECDSA_WITH_SHA256));
  const name = sequence(der(0x31, sequence(oid(COMMON_NAME), text(0x0c, 'localhost'))));
  const validity = sequence(text(0x17, '250101000000Z'), text(0x17, '490101000000Z'));
  const names = sequence(text(0x82, 'localhost'), der(0x87, Buffer.from([127, 0, 0, 1])));
  const extensions = sequence(
    sequence(oid(SUBJECT_ALT_NAME), octets(names)),
    sequence(oid(BASIC_CONSTRAINTS), yes, octets(sequence(yes))),
  );
  const version3 = der(0xa0, der(0x02, Buffer.from([2])));
  const serial = der(0x02, Buffer.from([1]));
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const content = sequence(version3, serial, algorithm, name, validity, name, spki, der(0xa3, extensions));
  const signature = der(0x03, Buffer.from([0]), sign('sha256', content, privateKey));
  const base64 = sequence(content, algorithm, signature).toString('base64').replace(/.{64}/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
  };
}
