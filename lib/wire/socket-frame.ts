/** How far a new socket comes, in this order: its host's name resolved, connected, encrypted. */
export type SocketStep = 'dns' | 'tcp' | 'tls';

/** What a certificate says. Texts are the server's, cut to `LIMITS.certificateChars`. */
export interface CertificateFacts {
  readonly subject: string;
  readonly issuer: string;
  /** The names it is for, as in `DNS:localhost`, at most `LIMITS.certificateNames`. */
  readonly names: readonly string[];
  /** ISO 8601. */
  readonly validFrom: string;
  readonly validTo: string;
  /** SHA-256, in hexadecimal pairs. */
  readonly fingerprint: string;
}

/** What a TLS handshake agreed on. */
export interface TlsFacts {
  /** As in `TLSv1.3`. */
  readonly protocol?: string;
  readonly cipher?: string;
  /** The application protocol, if one was agreed on. */
  readonly alpn?: string;
  /** The certificate was found to be the server's own. */
  readonly verified: boolean;
  readonly certificate?: CertificateFacts;
}

/**
 * One attempt at a new socket for an exchange: a frame each, none where an open socket is used again. Steps that were not
 * reached have no time; `failure` says which one went wrong.
 */
export interface SocketFrame {
  readonly kind: 'socket';
  readonly exchange: number;
  readonly host: string;
  readonly port: number;
  /** What the host resolved to, in the order to try. */
  readonly addresses: readonly string[];
  /** The one that this attempt was about. */
  readonly address?: string;
  /** Milliseconds that each step took. */
  readonly dnsMs?: number;
  readonly tcpMs?: number;
  readonly tlsMs?: number;
  readonly tls?: TlsFacts;
  /** `code` is Node's or our own: `ENOTFOUND`, `ECONNREFUSED`, `address-refused`, `CERT_HAS_EXPIRED`. */
  readonly failure?: { readonly step: SocketStep; readonly code: string; readonly message: string };
}
