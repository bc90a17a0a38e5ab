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

const SAID_PLAIN = 'This port expects https, and was asked in plain http.';

/** How servers that expect TLS respond without it. Other servers do so too. */
const MUTE: ReadonlyMap<string, string> = new Map([
  ['not-http', 'What comes back is not HTTP: the port may expect TLS, or belong to another service.'],
  [
    'connection-reset',
    'The connection was accepted, and cut without an answer: the port may expect TLS, or the server crashed.',
  ],
]);

/** TLS: the server's identity, and encryption itself. */
export const CERTIFICATES: readonly Remedy[] = [
  {
    code: 'tls-plain-server',
    step: 'tls',
    find: (facts) =>
      /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|UNKNOWN_PROTOCOL/.test(tlsCode(facts))
        ? {
            what: 'The server answers, but not in TLS: it seems to speak plain HTTP on this port.',
            advice: 'Write http instead of https, or give the port that it has for https.',
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
            what: 'The server’s certificate is signed by itself, so nobody vouches for it.',
            advice:
              'If you know this fingerprint, save the certificate as a PEM file and trust it with --ca FILE; or connect without verifying, which believes anybody who answers.',
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
            what: `The server’s certificate comes from an authority that this machine does not know: ${certificateOf(facts)?.issuer ?? 'unnamed'}.`,
            advice:
              'Trust the authority’s PEM file with --ca FILE or NODE_EXTRA_CA_CERTS; if it should be known, the server may not send its intermediate certificates.',
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
            what: `The server’s certificate expired on ${certificateOf(facts)?.validTo.slice(0, 10) ?? 'a day in the past'}.`,
            advice:
              'Renew it on the server; if it was renewed, restart the server, and check the clock of this machine.',
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
            what: `The server’s certificate is valid only from ${certificateOf(facts)?.validFrom.slice(0, 10) ?? 'a day to come'}.`,
            advice: 'Check the clocks of this machine and of the one that made the certificate.',
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
            what: `The server’s certificate is not for ${facts.socket?.host}; it is for ${namesOf(facts)}.`,
            advice: 'Use one of those names in the URL, or have a certificate made for this one.',
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
              ? 'The server does not accept the client certificate that was shown.'
              : 'The server wants a client certificate, and none was given.',
            advice: 'Give one that it accepts with --cert FILE and --key FILE, or under TLS in the form.',
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
                ? 'The port accepts connections, but nothing came back when TLS was begun.'
                : 'The connection was cut while TLS was being agreed on.',
            advice:
              'Check that this port is for https; something on the way, such as a proxy or a firewall, may cut TLS.',
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
            what: `No TLS could be agreed on (${tlsCode(facts)}).`,
            advice: 'Check which TLS versions and certificates the server is set up with; its own log says more.',
          }
        : undefined,
  },
  {
    code: 'tls-expected',
    step: 'http',
    find: (facts) => {
      const plain = facts.socket?.tls === undefined && facts.exchange !== undefined;
      const end = facts.status === undefined ? facts.exchange?.end?.code : undefined;
      const said = facts.status === 400 && /HTTP request (was sent )?to (an )?HTTPS/i.test(facts.text);
      const what = said ? SAID_PLAIN : MUTE.get(end ?? '');
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
  return names.length > 0 ? names.join(', ') : (certificate?.subject ?? 'nobody');
}
