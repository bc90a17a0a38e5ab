import { ConnectionError } from '@/lib/transports/transport';

/** Turns a network error of Node's into a ConnectionError. */
export function networkFailure(error: unknown, url: URL): ConnectionError {
  if (error instanceof ConnectionError) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  const known = TEXTS.get(code) ?? FAMILIES.find(([family]) => family.test(code))?.[1];
  return new ConnectionError({
    code: known?.code ?? 'network-error',
    message: `${known?.what ?? 'The exchange failed'}: ${url.origin}${known && code === '' ? '' : ` (${code || message})`}.`,
    advice: known?.advice ?? 'Check the URL and the server’s own log.',
  });
}

interface FailureText {
  readonly code: string;
  /** Followed by a colon and the origin. */
  readonly what: string;
  readonly advice: string;
}

const TRUST = 'If it is the right server, trust its certificate or its authority with --tls ca=FILE.';

const UNKNOWN_AUTHORITY: FailureText = {
  code: 'tls-untrusted',
  what: 'The server’s certificate comes from an unknown authority',
  advice: TRUST,
};

const RESET: FailureText = {
  code: 'connection-reset',
  what: 'The connection was cut',
  advice: 'Check the server’s own log. If the server expects https, use https.',
};

const UNREACHABLE: FailureText = {
  code: 'host-unreachable',
  what: 'Host unreachable',
  advice: 'Check the network and the VPN.',
};

/** By Node's error code. */
const TEXTS: ReadonlyMap<string, FailureText> = new Map([
  [
    'ECONNREFUSED',
    {
      code: 'connection-refused',
      what: 'Connection refused',
      advice: 'Start the server, or correct the host and port.',
    },
  ],
  ['ECONNRESET', RESET],
  ['EPIPE', RESET],
  [
    'ETIMEDOUT',
    {
      code: 'connection-timeout',
      what: 'Connection timed out',
      advice: 'Check the host, the port and firewalls.',
    },
  ],
  ['EHOSTUNREACH', UNREACHABLE],
  ['ENETUNREACH', UNREACHABLE],
  [
    'HPE_HEADER_OVERFLOW',
    {
      code: 'headers-too-large',
      what: 'The server’s response has too many headers',
      advice: 'Make the server send fewer.',
    },
  ],
  [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    { code: 'tls-self-signed', what: 'The server’s certificate is self-signed', advice: TRUST },
  ],
  ['SELF_SIGNED_CERT_IN_CHAIN', UNKNOWN_AUTHORITY],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', UNKNOWN_AUTHORITY],
  ['UNABLE_TO_GET_ISSUER_CERT', UNKNOWN_AUTHORITY],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', UNKNOWN_AUTHORITY],
  [
    'CERT_HAS_EXPIRED',
    {
      code: 'tls-expired',
      what: 'The server’s certificate has expired',
      advice: 'Renew it, or check the clock of this machine.',
    },
  ],
  [
    'CERT_NOT_YET_VALID',
    {
      code: 'tls-expired',
      what: 'The server’s certificate is not valid yet',
      advice: 'Check the clocks of this machine and of the server.',
    },
  ],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    {
      code: 'tls-wrong-name',
      what: 'The server’s certificate is for another name',
      advice: 'Use a name that the certificate is for.',
    },
  ],
]);

/** By pattern of Node's error code. The first match counts. */
const FAMILIES: readonly (readonly [RegExp, FailureText])[] = [
  [
    /^ERR_SSL_.*ALERT_(CERTIFICATE_REQUIRED|BAD_CERTIFICATE|UNKNOWN_CA|CERTIFICATE_UNKNOWN)/,
    {
      code: 'tls-client-certificate',
      what: 'The server requires a client certificate that it accepts',
      advice: 'Add one with --tls cert=FILE and --tls key=FILE.',
    },
  ],
  [
    /^(ERR_SSL_|EPROTO)/,
    {
      code: 'tls-failed',
      what: 'The TLS handshake failed',
      advice: 'If the server does not use TLS, use http instead of https.',
    },
  ],
  [
    /^(CERT_|CRL_|UNABLE_TO_|INVALID_CA|PATH_LENGTH|HOSTNAME_MISMATCH)/,
    { code: 'tls-untrusted', what: 'The server’s certificate was not accepted', advice: TRUST },
  ],
  [
    /^HPE_(?:UNEXPECTED_CONTENT_LENGTH|INVALID_(?:CONTENT_LENGTH|TRANSFER_ENCODING|HEADER_TOKEN))$/,
    {
      code: 'http-malformed',
      what: 'The headers of the server’s HTTP response are invalid',
      advice: 'Correct them on the server, or on a proxy in front of it. The code in parentheses says what is wrong.',
    },
  ],
  [
    /^HPE_/,
    {
      code: 'not-http',
      what: 'The server did not answer with HTTP',
      advice: 'Check the port. If the server expects https, use https.',
    },
  ],
  [
    /^(Z_|ERR__ERROR_)/,
    {
      code: 'body-broken',
      what: 'The server’s compressed response is damaged',
      advice: 'Check the program that compresses it, such as a proxy in front of the server.',
    },
  ],
];
