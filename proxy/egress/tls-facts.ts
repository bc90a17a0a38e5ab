import type { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { LIMITS } from '@/lib/wire/limits';
import type { CertificateFacts, TlsFacts } from '@/lib/wire/socket-frame';

/** What a finished handshake came to, for the log. */
export function tlsFactsOf(socket: TLSSocket): TlsFacts {
  const protocol = socket.getProtocol();
  const certificate = socket.getPeerX509Certificate();
  return {
    ...(protocol !== null && { protocol }),
    cipher: socket.getCipher().name,
    ...(typeof socket.alpnProtocol === 'string' && { alpn: socket.alpnProtocol }),
    verified: socket.authorized,
    ...(certificate && { certificate: certificateFacts(certificate) }),
  };
}

function certificateFacts(certificate: X509Certificate): CertificateFacts {
  const { subject, issuer, subjectAltName = '', validFrom, validTo, fingerprint256 } = certificate;
  const names = subjectAltName.split(', ').filter((name) => name !== '');
  return {
    subject: cut(onOneLine(subject)),
    issuer: cut(onOneLine(issuer)),
    names: names.slice(0, LIMITS.certificateNames).map((name) => cut(name.replace(/^IP Address:/, 'IP:'))),
    validFrom: isoOf(validFrom),
    validTo: isoOf(validTo),
    fingerprint: fingerprint256,
  };
}

/** Node writes each attribute of a name on a line. */
function onOneLine(name: string | undefined): string {
  return (name ?? '').split('\n').join(', ');
}

function isoOf(date: string): string {
  const time = Date.parse(date);
  return Number.isNaN(time) ? cut(date) : new Date(time).toISOString();
}

function cut(text: string): string {
  return text.length > LIMITS.certificateChars ? `${text.slice(0, LIMITS.certificateChars)}…` : text;
}
