/** A good request with one thing wrong, and the guard rules that must all be gone for it to get through. */
export interface AttackRow {
  /** Its number in the threat model. */
  readonly attack: number;
  readonly name: string;
  readonly base: keyof typeof BASES;
  readonly status: number;
  /** Guard rules that stop it, each alone. */
  readonly rules: readonly string[];
  /** Something besides the guard refuses it as well, on the wire: Node's parser, or the front door. */
  readonly also?: 'parser' | 'front door';
  readonly method?: string;
  target?(at: Target): string;
  /** Replace those of the base; `[]` takes one away. */
  headers?(at: Target): Headers;
  readonly version?: '1.0';
  readonly body?: string;
}

/** The row's request in full. */
export function requestOf(
  row: AttackRow,
  at: Target,
): { method: string; target: string; headers: [string, string][]; body: string } {
  const base: GoodRequest = BASES[row.base];
  const headers = { ...base.headers(at), ...row.headers?.(at) };
  return {
    method: row.method ?? base.method,
    target: row.target?.(at) ?? base.target,
    headers: Object.entries(headers).flatMap(([name, values]) =>
      values.map((value): [string, string] => [name, value]),
    ),
    body: row.body ?? base.body ?? '',
  };
}

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
