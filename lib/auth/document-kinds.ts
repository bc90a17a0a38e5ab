/** A kind of JSON document that a server sends for OAuth. */
export interface DocumentKind {
  readonly code: string;
  /** Its name in a sentence. */
  readonly name: string;
  /** The section that defines its members. */
  readonly spec: string;
}

export const DOCUMENTS = {
  resource: {
    code: 'authorization-metadata',
    name: 'protected resource metadata',
    spec: 'RFC 9728, section 2',
  },
  server: {
    code: 'authorization-metadata',
    name: 'authorization server metadata',
    spec: 'RFC 8414, section 2',
  },
  openid: {
    code: 'authorization-metadata',
    name: 'OpenID provider metadata',
    spec: 'OpenID Connect Discovery 1.0, section 3',
  },
  registration: { code: 'registration-invalid', name: 'registration response', spec: 'RFC 7591, section 3.2.1' },
  token: { code: 'token-invalid', name: 'token response', spec: 'RFC 6749, section 5.1' },
  exchange: { code: 'identity-provider', name: 'token exchange response', spec: 'RFC 8693, section 2.2.1' },
} as const satisfies Record<string, DocumentKind>;
