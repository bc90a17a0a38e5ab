import { TOKEN_HEADER } from '@/lib/wire/api';

/** A valid request with one thing wrong, and the guard rules that must all be removed for it to pass. */
export interface AttackRow {
  /** Number of the kind of attack. The comments in attack-rows.ts say what each number means. */
  readonly attack: number;
  readonly name: string;
  readonly base: keyof typeof BASES;
  readonly status: number;
  /** Guard rules. Each one alone stops the request. */
  readonly rules: readonly string[];
  /** The part that also refuses the request on the wire: Node's parser, or the dispatcher. */
  readonly also?: 'parser' | 'dispatcher';
  readonly method?: string;
  target?(at: Target): string;
  /** Replace the headers of the base; `[]` removes one. */
  headers?(at: Target): Headers;
  readonly version?: '1.0';
  readonly body?: string;
}

/** Returns the complete request of a row. */
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

/** Values that are known once the server runs. */
export interface Target {
  readonly port: number;
  /** A valid token. */
  readonly token: string;
}

export type Headers = Readonly<Record<string, readonly string[]>>;

/** A valid request. */
export interface GoodRequest {
  readonly method: string;
  readonly target: string;
  readonly body?: string;
  headers(at: Target): Headers;
}

/** Returns our own authority. */
export const ours = (at: Target) => `127.0.0.1:${at.port}`;

/** Valid requests, one of each kind. */
export const BASES = {
  page: { method: 'GET', target: '/', headers: (at) => ({ host: [ours(at)] }) },
  asset: { method: 'GET', target: '/_next/static/app.js', headers: (at) => ({ host: [ours(at)] }) },
  api: {
    method: 'GET',
    target: '/api/connections',
    headers: (at) => ({ host: [ours(at)], [TOKEN_HEADER]: [at.token] }),
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
