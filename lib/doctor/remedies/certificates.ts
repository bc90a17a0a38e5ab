import type { AttemptFacts } from '../attempt-facts';
import type { Action, Remedy } from '../finding';

/** Returns the code of a TLS failure; '' for any other failure. */
function tlsCode({ socket }: AttemptFacts): string {
  return socket?.failure?.step === 'tls' ? socket.failure.code : '';
}

const certificateOf = ({ socket }: AttemptFacts) => socket?.tls?.certificate;
const SKIP: readonly Action[] = [{ kind: 'skip-verification' }];
const AUTHORITIES = [
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
];
const CERTIFICATE_WANTED = /ALERT_(CERTIFICATE_REQUIRED|BAD_CERTIFICATE|UNKNOWN_CA|CERTIFICATE_UNKNOWN)/;

/** Returns an action to use the URL with the other scheme. */
function withScheme({ url, start }: AttemptFacts, scheme: 'http:' | 'https:'): readonly Action[] {
  if (!url) return [];
  const other = new URL(url);
  other.protocol = scheme;
  return other.protocol === scheme ? [{ kind: 'use-url', url: other.href, transport: start.transport }] : [];
}

const SAID_PLAIN = 'This port expects HTTPS, but the request used plain HTTP.';

/**
 * Causes by failure code. A server that expects TLS may cause these failures over plain HTTP, but so may other servers.
 */
const PLAIN_HTTP_FAILURES: ReadonlyMap<string, string> = new Map([
  ['not-http', 'The response is not HTTP. The port may expect TLS, or belong to another service.'],
  [
    'connection-reset',
    'The server closed the connection without a response. The port may expect TLS, or the server crashed.',
  ],
]);

/** Failures of TLS: of certificates, and of encryption. */
export const CERTIFICATES: readonly Remedy[] = [
  {
    code: 'tls-plain-server',
    step: 'tls',
    find: (facts) =>
      /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|UNKNOWN_PROTOCOL/.test(tlsCode(facts))
        ? {
            what: 'The server does not use TLS on this port. It seems to use plain HTTP.',
            advice: 'Write http instead of https, or use the server’s HTTPS port.',
            actions: withScheme(facts, 'http:'),
          }
        : undefined,
  },
  {
    code: 'tls-self-signed',
    step: 'tls',
    find: (facts) =>
      tlsCode(facts) === 'DEPTH_ZERO_SELF_SIGNED_CERT'
        ? {
            what: 'The server’s certificate is self-signed, so no authority confirms it.',
            advice:
              'If you know this fingerprint, save the certificate as a PEM file and trust it with --tls ca=FILE. Or connect without verification, which accepts any server.',
            actions: SKIP,
          }
        : undefined,
  },
  {
    code: 'tls-unknown-authority',
    step: 'tls',
    find: (facts) =>
      AUTHORITIES.includes(tlsCode(facts))
        ? {
            what: `The server’s certificate comes from an authority that this machine does not trust: ${certificateOf(facts)?.issuer ?? 'unnamed'}.`,
            advice: `Trust the authority’s PEM file with --tls ca=FILE or NODE_EXTRA_CA_CERTS. ${
              facts.socket?.httpProxy
                ? 'The HTTP proxy may have replaced the server’s certificate by its own.'
                : 'If it is a public authority, the server may not send its intermediate certificates.'
            }`,
            actions: SKIP,
          }
        : undefined,
  },
  {
    code: 'tls-expired',
    step: 'tls',
    find: (facts) =>
      tlsCode(facts) === 'CERT_HAS_EXPIRED'
        ? {
            what: `The server’s certificate expired on ${certificateOf(facts)?.validTo.slice(0, 10) ?? 'an earlier date'}.`,
            advice: 'Renew it on the server. If it was renewed, restart the server and check this machine’s clock.',
            actions: SKIP,
          }
        : undefined,
  },
  {
    code: 'tls-not-yet-valid',
    step: 'tls',
    find: (facts) =>
      tlsCode(facts) === 'CERT_NOT_YET_VALID'
        ? {
            what: `The server’s certificate is not valid before ${certificateOf(facts)?.validFrom.slice(0, 10) ?? 'a later date'}.`,
            advice: 'Check the clocks of this machine and of the one that issued the certificate.',
            actions: SKIP,
          }
        : undefined,
  },
  {
    code: 'tls-wrong-name',
    step: 'tls',
    find: (facts) =>
      tlsCode(facts) === 'ERR_TLS_CERT_ALTNAME_INVALID'
        ? {
            what: `The server’s certificate is not for ${facts.socket?.host} but for ${namesOf(facts)}.`,
            advice: 'Use one of those names in the URL, or issue a certificate for this one.',
            actions: SKIP,
          }
        : undefined,
  },
  {
    code: 'tls-client-certificate',
    step: 'tls',
    find: (facts) =>
      CERTIFICATE_WANTED.test(tlsCode(facts)) ||
      facts.exchange?.end?.code === 'tls-client-certificate' ||
      (facts.status === 400 && /No required SSL certificate|SSL certificate error/i.test(facts.text))
        ? {
            what: facts.start.tls?.cert
              ? 'The server rejected the client certificate.'
              : 'The server requires a client certificate, and none was given.',
            advice:
              'Give a certificate that it accepts with --tls cert=FILE and --tls key=FILE, or under TLS in the form.',
          }
        : undefined,
  },
  {
    code: 'tls-cut',
    step: 'tls',
    find: (facts) =>
      ['ECONNRESET', 'EPIPE', 'ETIMEDOUT'].includes(tlsCode(facts))
        ? {
            what:
              tlsCode(facts) === 'ETIMEDOUT'
                ? 'The port accepts connections but did not answer the TLS handshake.'
                : 'The connection was closed during the TLS handshake.',
            advice: 'Check that this port is for HTTPS. A proxy or firewall in between may block TLS.',
            actions: withScheme(facts, 'http:'),
          }
        : undefined,
  },
  {
    code: 'tls-failed',
    step: 'tls',
    find: (facts) =>
      tlsCode(facts) !== ''
        ? {
            what: `The TLS handshake failed (${tlsCode(facts)}).`,
            advice: 'Check the server’s TLS versions and certificates. Its log may say more.',
          }
        : undefined,
  },
  {
    code: 'tls-expected',
    step: 'http',
    find: (facts) => {
      const plain = facts.socket?.tls === undefined && facts.exchange !== undefined;
      const end = facts.status === undefined ? facts.exchange?.end?.code : undefined;
      const isStated = facts.status === 400 && /HTTP request (was sent )?to (an )?HTTPS/i.test(facts.text);
      // A server that has answered over plain HTTP does not expect TLS.
      const guess = facts.answeredBefore ? undefined : PLAIN_HTTP_FAILURES.get(end ?? '');
      const what = isStated ? SAID_PLAIN : guess;
      if (!plain || what === undefined) return undefined;
      return {
        what,
        advice: 'Write https instead of http, or check the port.',
        actions: withScheme(facts, 'https:'),
      };
    },
  },
];

function namesOf(facts: AttemptFacts): string {
  const certificate = certificateOf(facts);
  const names = (certificate?.names ?? []).map((name) => name.replace(/^DNS:/, ''));
  return names.length > 0 ? names.join(', ') : (certificate?.subject ?? 'no name');
}
