import { ConnectionError } from '@/lib/transports/transport';

interface Words {
  readonly code: string;
  readonly what: string;
  readonly advice: string;
}

const TRUST = 'If it is the right server, trust its certificate or its authority with --ca FILE.';

const UNKNOWN_AUTHORITY: Words = {
  code: 'tls-untrusted',
  what: 'The server’s certificate comes from an unknown authority',
  advice: TRUST,
};

/** By Node's error code. */
const WORDS: ReadonlyMap<string, Words> = new Map([
  [
    'ECONNREFUSED',
    {
      code: 'connection-refused',
      what: 'Nothing listens there',
      advice: 'Start the server, or correct the host and port.',
    },
  ],
  [
    'ECONNRESET',
    {
      code: 'connection-reset',
      what: 'The connection was cut',
      advice: 'See the server’s own log; if it expects https, write https.',
    },
  ],
  [
    'EPIPE',
    {
      code: 'connection-reset',
      what: 'The connection was cut',
      advice: 'See the server’s own log; if it expects https, write https.',
    },
  ],
  [
    'ETIMEDOUT',
    {
      code: 'connection-timeout',
      what: 'The connection was not accepted in time',
      advice: 'Check the host and port, and a firewall on the way.',
    },
  ],
  [
    'EHOSTUNREACH',
    { code: 'host-unreachable', what: 'There is no way to that host', advice: 'Check the network and a VPN.' },
  ],
  [
    'ENETUNREACH',
    { code: 'host-unreachable', what: 'There is no way to that host', advice: 'Check the network and a VPN.' },
  ],
  [
    'HPE_HEADER_OVERFLOW',
    {
      code: 'headers-too-large',
      what: 'The server’s answer has too many headers',
      advice: 'Make the server send fewer.',
    },
  ],
  [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    { code: 'tls-self-signed', what: 'The server’s certificate is signed by itself', advice: TRUST },
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
      advice: 'Renew it, and check the clock of this machine.',
    },
  ],
  [
    'CERT_NOT_YET_VALID',
    {
      code: 'tls-expired',
      what: 'The server’s certificate is not valid yet',
      advice: 'Check the clock of this machine, and that of the server.',
    },
  ],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    {
      code: 'tls-wrong-name',
      what: 'The server’s certificate is for another name',
      advice: 'Use a name that the certificate has.',
    },
  ],
]);

/** By what codes have in common; the first that fits. */
const FAMILIES: readonly (readonly [RegExp, Words])[] = [
  [
    /^ERR_SSL_.*ALERT_(CERTIFICATE_REQUIRED|BAD_CERTIFICATE|UNKNOWN_CA|CERTIFICATE_UNKNOWN)/,
    {
      code: 'tls-client-certificate',
      what: 'The server wants a certificate of ours that it knows',
      advice: 'Give one with --cert FILE and --key FILE.',
    },
  ],
  [
    /^(ERR_SSL_|EPROTO)/,
    {
      code: 'tls-failed',
      what: 'No encrypted connection could be made',
      advice: 'If the server does not speak TLS, write http instead of https.',
    },
  ],
  [
    /^(CERT_|CRL_|UNABLE_TO_|INVALID_CA|PATH_LENGTH|HOSTNAME_MISMATCH)/,
    { code: 'tls-untrusted', what: 'The server’s certificate was not accepted', advice: TRUST },
  ],
  [
    /^HPE_/,
    {
      code: 'not-http',
      what: 'What the server sent is not HTTP',
      advice: 'Check the port; if it expects https, write https.',
    },
  ],
  [
    /^(Z_|ERR__ERROR_)/,
    {
      code: 'body-broken',
      what: 'The server’s compressed answer can not be read',
      advice: 'Check what compresses it, such as a proxy in front of the server.',
    },
  ],
];

/** A failure of the network as one for people. */
export function networkFailure(error: unknown, url: URL): ConnectionError {
  if (error instanceof ConnectionError) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  const known = WORDS.get(code) ?? FAMILIES.find(([family]) => family.test(code))?.[1];
  return new ConnectionError({
    code: known?.code ?? 'network-error',
    message: `${known?.what ?? 'The exchange failed'}: ${url.origin}${known && code === '' ? '' : ` (${code || message})`}.`,
    advice: known?.advice ?? 'Check the URL, and see the server’s own log.',
  });
}
