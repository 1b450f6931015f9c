/** What the socket knows about a failure besides the error. */
export interface FailureContext {
  /** The other side has ended its half of the connection. */
  readonly remoteEnded: boolean;
  /** Bytes of the answer received so far. */
  readonly received: number;
}

/**
 * Our own failure codes; system error codes (`ECONNRESET`, `ENOTFOUND`, …) and TLS error codes (`DEPTH_ZERO_SELF_SIGNED_CERT`, …)
 * are passed on unchanged.
 */
export const failureCodes = {
  'closed-before-answer': 'the other side closed the connection before the first byte of an answer',
  'closed-mid-answer': 'the other side closed the connection before the answer was complete',
  protocol: 'the answer is not valid HTTP',
  'headers-too-large': 'the headers of the answer are larger than 16 KiB',
  'answer-too-large': 'the body of the answer is larger than the limit',
  'connect-timeout': 'the connection could not be opened in time',
  'proxy-refused': 'the proxy refused the tunnel',
  'no-http2': 'the service does not speak HTTP/2',
  'stream-refused':
    'the service refused the stream before processing it (RST_STREAM with REFUSED_STREAM, or GOAWAY without this stream, as when it closes an idle connection: RFC 9113 section 8.7), or allows no streams (SETTINGS_MAX_CONCURRENT_STREAMS of 0)',
  'stream-reset': 'the service reset the stream without an answer (RST_STREAM)',
  'going-away': 'the service ended the connection with an error (GOAWAY)',
  'invalid-request': 'the request cannot be written as HTTP, for example a token with a line break',
  'no-stream': 'according to the profile, the service has no event stream',
  unknown: 'an error without a code',
} as const;

const OF_UNDICI: Readonly<Record<string, keyof typeof failureCodes>> = {
  UND_ERR_CONNECT_TIMEOUT: 'connect-timeout',
  UND_ERR_HEADERS_OVERFLOW: 'headers-too-large',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'answer-too-large',
  UND_ERR_INVALID_ARG: 'invalid-request',
  UND_ERR_NOT_SUPPORTED: 'invalid-request',
};
const OF_NODE: Readonly<Record<string, keyof typeof failureCodes>> = {
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  ERR_INVALID_CHAR: 'invalid-request',
  ERR_HTTP_INVALID_HEADER_VALUE: 'invalid-request',
  ERR_UNESCAPED_CHARACTERS: 'invalid-request',
  ERR_HTTP2_INVALID_HEADER_VALUE: 'invalid-request',
  ERR_HTTP2_ERROR: 'protocol',
  ERR_HTTP2_TOO_MANY_INVALID_FRAMES: 'protocol',
  ERR_HTTP2_SESSION_ERROR: 'going-away',
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: 'no-http2',
  // undici's parser throws assertion errors for answers that it does not expect.
  ERR_ASSERTION: 'protocol',
};
/** The form of error codes: of the system, of TLS, of Node.js and of undici. */
const SYSTEM_CODE = /^[A-Z][A-Z0-9_]{2,63}$/;

/** OpenSSL 3.5 (Node 24, and late ones of 22) writes these so; one failure keeps one name, whatever Node made the run. */
const RENAMED_ALERT = /^ERR_SSL_SSL\/TLS_ALERT/;

/** Returns a code for an error, never its message: that may quote addresses, headers or bodies. */
export function failureOf(error: unknown, context: FailureContext): string {
  const code = codeOf(error);
  const known = code === undefined ? undefined : (OF_UNDICI[code] ?? OF_NODE[code]);
  if (known !== undefined) return known;
  const ours = code === undefined || code.startsWith('UND_ERR') || code.startsWith('HPE_');
  // A reset keeps its system code even if the other side had ended its half of the connection before.
  if (!ours) return code;
  if (context.remoteEnded) return context.received === 0 ? 'closed-before-answer' : 'closed-mid-answer';
  return code === undefined ? 'unknown' : 'protocol';
}

function codeOf(error: unknown): string | undefined {
  // undici's parser errors have a name, but not always a code.
  if (error instanceof Error && error.name === 'HTTPParserError') return 'HPE_ANY';
  const given = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  const code = typeof given === 'string' ? given.replace(RENAMED_ALERT, 'ERR_SSL_SSLV3_ALERT') : undefined;
  return code !== undefined && SYSTEM_CODE.test(code) ? code : undefined;
}
