import { ConnectionError } from '@/lib/transports/transport';

interface Words {
  readonly code: string;
  readonly what: string;
  readonly advice: string;
}

const CERTIFICATE = 'Check the address and the clock of this machine, and whether the certificate is one it trusts.';

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
    'EPROTO',
    {
      code: 'tls-failed',
      what: 'No encrypted connection could be made',
      advice: 'If the server does not speak TLS, write http instead of https.',
    },
  ],
  [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    {
      code: 'tls-untrusted',
      what: 'The server’s certificate is signed by itself',
      advice: 'Trust it with NODE_EXTRA_CA_CERTS=file, or use http if that is offered.',
    },
  ],
  [
    'SELF_SIGNED_CERT_IN_CHAIN',
    {
      code: 'tls-untrusted',
      what: 'The server’s certificate comes from an unknown authority',
      advice: 'Trust that authority with NODE_EXTRA_CA_CERTS=file.',
    },
  ],
  [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    {
      code: 'tls-untrusted',
      what: 'The server’s certificate comes from an unknown authority',
      advice: 'Trust that authority with NODE_EXTRA_CA_CERTS=file.',
    },
  ],
  ['CERT_HAS_EXPIRED', { code: 'tls-untrusted', what: 'The server’s certificate has expired', advice: CERTIFICATE }],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    { code: 'tls-untrusted', what: 'The server’s certificate is for another name', advice: CERTIFICATE },
  ],
]);

/** A failure of the network as one for people. */
export function networkFailure(error: unknown, url: URL): ConnectionError {
  if (error instanceof ConnectionError) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  const parse = code.startsWith('HPE_') ? NOT_HTTP : undefined;
  const zlib = code.startsWith('Z_') || code.startsWith('ERR__ERROR_') ? BROKEN_BODY : undefined;
  const known = WORDS.get(code) ?? parse ?? zlib;
  return new ConnectionError({
    code: known?.code ?? 'network-error',
    message: `${known?.what ?? 'The exchange failed'}: ${url.origin}${known && code === '' ? '' : ` (${code || message})`}.`,
    advice: known?.advice ?? 'Check the URL, and see the server’s own log.',
  });
}

const NOT_HTTP: Words = {
  code: 'not-http',
  what: 'What the server sent is not HTTP',
  advice: 'Check the port; if it expects https, write https.',
};

const BROKEN_BODY: Words = {
  code: 'body-broken',
  what: 'The server’s compressed answer can not be read',
  advice: 'Check what compresses it, such as a proxy in front of the server.',
};
