import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diagnose } from '@/lib/doctor/diagnose';
import { falseClaims } from '@/lib/doctor/test-claims';
import { answered, asked, complained, type FrameSeed, got, happened, logOf } from '@/lib/store/test-frames';
import { type Answer, initialized, json, type Seen, startHttp } from '@/proxy/connection/fixtures/http-fixture';
import { listAt } from './test-failed-request';

/** How a server at a URL answers one request. */
interface Behaviour {
  readonly status: number;
  readonly type: string | undefined;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

const BEHAVIOUR = fc.record<Behaviour>({
  status: fc.constantFrom(200, 200, 400, 401, 403, 404, 405, 406, 415, 421, 429, 500, 502, 503, 522),
  type: fc.constantFrom(undefined, 'text/html', 'text/plain', 'application/json', 'text/event-stream'),
  body: fc.constantFrom(
    '',
    '<h1>Sign in</h1>',
    'Invalid Host header',
    'no session',
    '{"detail":"Not Found"}',
    '{"jsonrpc":"2.0"',
    '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID"},"id":null}',
    'event: response\ndata: {"jsonrpc":"2.0","id":1,"result":{}}\n\n',
    'data: {"jsonrpc":"2.0","id":1,"result":{}}\n',
    'event: endpoint\ndata: /messages?sessionId=1\n\n',
    'event: endpoint\ndata: http://backend.internal:8887/messages\n\n',
  ),
  headers: fc.constantFrom<Readonly<Record<string, string>>>(
    {},
    { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
    { Allow: 'GET' },
    { 'Retry-After': '3' },
    { Server: 'nginx' },
    { 'Content-Encoding': 'gzip' },
  ),
});

const SERVER = fc.record({
  /** Redirects before the answer: the status, where it leads, and whether to the other origin. */
  hops: fc.array(
    fc.record({
      status: fc.constantFrom(301, 302, 303, 307, 307, 308),
      path: fc.constantFrom('/mcp/', '/api/auth/signin?csrf=true', '/v2/mcp', '/users/sign_in'),
      away: fc.boolean(),
    }),
    { maxLength: 2 },
  ),
  /** The handshake works, and only the list fails. */
  opens: fc.boolean(),
  resets: fc.constantFrom(false, false, false, true),
  first: BEHAVIOUR,
  get: BEHAVIOUR,
  authorization: fc.boolean(),
  path: fc.constantFrom('/mcp', '/sse', '/mcp-server/sse', '/'),
});

function behave({ status, type, body, headers }: Behaviour, response: Parameters<Answer>[1]): void {
  response.writeHead(status, { ...(type && { 'content-type': type }), ...headers }).end(body);
}

test('every claim about a failing server at a URL is true of its frames', async () => {
  await fc.assert(
    fc.asyncProperty(SERVER, async ({ hops, opens, resets, first, get, authorization, path }) => {
      let elsewhere = '';
      const answer = (seen: Seen, response: Parameters<Answer>[1]): void => {
        const at = new URL(seen.url, 'http://none.invalid').searchParams.get('hop');
        const hop = hops[Number(at ?? 0)];
        if (hop) {
          const to = `${hop.path}${hop.path.includes('?') ? '&' : '?'}hop=${Number(at ?? 0) + 1}`;
          response.writeHead(hop.status, { Location: hop.away ? `${elsewhere}${to}` : to }).end();
        } else if (opens && seen.message?.method === 'initialize') {
          json(response, initialized(seen.message.id, { tools: {} }), 200, { 'Mcp-Session-Id': 's-1' });
        } else if (opens && seen.message && seen.message.id === undefined) response.writeHead(202).end();
        else if (resets) response.destroy();
        else behave(seen.method === 'POST' ? first : get, response);
      };
      const [one, other] = [await startHttp(answer), await startHttp(answer)];
      elsewhere = other.origin;
      try {
        const headers = authorization ? { headers: { Authorization: 'Bearer s3cret', 'X-Team': 'blue' } } : {};
        const { log, diagnosis } = await listAt(`${one.origin}${path}`, headers, '2025-11-25');
        if (!diagnosis) return;
        expect(falseClaims(diagnosis, log), diagnosis.what).toEqual([]);
        expect(JSON.stringify(diagnosis)).not.toContain('s3cret');
      } finally {
        await Promise.all([one.close(), other.close()]);
      }
    }),
    { numRuns: 80, seed: 39 },
  );
}, 120_000);

const LINE = fc.constantFrom(
  'listening on 3000',
  'Error: no configuration',
  '{',
  "ModuleNotFoundError: No module named 'mcp'",
  '  at x (a.js:1)',
  '\u001b[31mfatal: `x` failed\u001b[0m',
  '',
  'Traceback (most recent call last):',
);

test('every claim about a process is true of its frames', () => {
  const steps = fc.array(
    fc.oneof(
      LINE.map((text): FrameSeed => complained(text)),
      LINE.filter((text) => text !== '').map((text): FrameSeed => got(text)),
      fc.constant(got({ jsonrpc: '2.0', method: 'notifications/message', params: {} })),
      fc.constant(got({ jsonrpc: '2.0', id: '1', result: {} })),
      fc.constant(asked(2, 'tools/call', { name: 'x' })),
      fc.constant(answered(2, { content: [] })),
    ),
    { maxLength: 8 },
  );
  const process = fc.record({ steps, code: fc.constantFrom(0, 1, 127), exits: fc.boolean(), opens: fc.boolean() });
  const named = { event: 'start', at: '2026-01-01T00:00:00Z', name: 'x', protocol: 'auto' } as const;
  const environment = { policy: 'shell', inherited: [], added: [] } as const;
  const start = { ...named, transport: 'stdio', command: 'node', args: [], cwd: '/', environment } as const;
  fc.assert(
    fc.property(process, fc.option(process), ({ steps: own, code, exits, opens }, before) => {
      const exit = { code: 'server-exited', message: `The server exited with code ${code}.`, advice: 'Look.' };
      const late = { code: 'handshake-timeout', message: 'The server did not answer initialize.', advice: 'Look.' };
      const log = logOf(
        happened(start),
        ...(before ? [happened({ event: 'spawned', pid: 1 }), ...before.steps] : []),
        happened({ event: 'spawned', pid: 2 }),
        asked(1, 'initialize'),
        ...(opens ? [answered(1, {}), happened({ event: 'open', era: 'legacy', version: '2025-11-25' })] : []),
        ...own,
        ...(exits ? [happened({ event: 'exit', code, signal: null })] : []),
        happened({ event: 'failed', ...(exits ? exit : late) }),
      );
      const diagnosis = diagnose(log)!;
      expect(falseClaims(diagnosis, log), diagnosis.what).toEqual([]);
    }),
    { numRuns: 200, seed: 39 },
  );
});
