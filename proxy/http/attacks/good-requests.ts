/** What a request can't know before the server runs. */
export interface Target {
  readonly port: number;
  /** A good token. */
  readonly token: string;
}

export type Headers = Readonly<Record<string, readonly string[]>>;

/** A request that is answered. */
export interface GoodRequest {
  readonly method: string;
  readonly target: string;
  readonly body?: string;
  headers(at: Target): Headers;
}

/** How we are called. */
export const ours = (at: Target) => `127.0.0.1:${at.port}`;

/** Good requests, one of each kind. */
export const BASES = {
  page: { method: 'GET', target: '/', headers: (at) => ({ host: [ours(at)] }) },
  asset: { method: 'GET', target: '/_next/static/app.js', headers: (at) => ({ host: [ours(at)] }) },
  api: {
    method: 'GET',
    target: '/api/connections',
    headers: (at) => ({ host: [ours(at)], authorization: [`Bearer ${at.token}`] }),
  },
  launch: {
    method: 'POST',
    target: '/launch',
    body: '{}',
    headers: (at) => ({ host: [ours(at)], origin: [`http://${ours(at)}`], 'content-type': ['application/json'] }),
  },
  socket: {
    method: 'GET',
    target: '/ws',
    headers: (at) => ({
      host: [ours(at)],
      origin: [`http://${ours(at)}`],
      upgrade: ['websocket'],
      connection: ['Upgrade'],
      'sec-websocket-key': ['AAAAAAAAAAAAAAAAAAAAAA=='],
      'sec-websocket-version': ['13'],
      'sec-websocket-protocol': [`mcp-inspect.1, bearer.${at.token}`],
    }),
  },
} satisfies Record<string, GoodRequest>;
