import { hash } from 'node:crypto';

/** SHA-256, base64url. Kept and compared in place of a secret. */
export const digestOf = (secret: string): string => hash('sha256', secret, 'base64url');
