import { filledMessages } from '@/lib/protocol/test-messages';
import { answered, asked, complained, type FrameSeed, got, happened, onChannel, sent } from '@/lib/store/test-frames';
import type { HttpFrame } from '@/lib/wire/http-frame';
import type { LifecycleEvent, ProtocolVersion } from '@/lib/wire/lifecycle';

/** Results whose texts name the version, so that the session opens. */
const OPENING = ['initialize', 'server/discover'];

/**
 * Frames of every kind: each message of a version, each event, each part of HTTP, telemetry and output, with `text` in
 * place of every string that a server or the author of a file can choose.
 */
export function everyFrame(version: ProtocolVersion, text: string): readonly FrameSeed[] {
  const events = eventsOf(version, text);
  const messages = filledMessages(version, text);
  const first = messages.filter(({ method }) => OPENING.includes(method));
  const others = messages.filter(({ method }) => !OPENING.includes(method));
  let id = 0;
  const framesOf = ({ method, direction, params, result }: (typeof messages)[number]): readonly FrameSeed[] => {
    const put = (message: object) => (direction === 'to-server' ? sent(message) : got(message));
    const back = (message: object) => (direction === 'to-server' ? got(message) : sent(message));
    if (result === undefined) return [put({ jsonrpc: '2.0', method, params })];
    const request = { jsonrpc: '2.0', id: ++id, method, params };
    const versions = OPENING.includes(method) && { protocolVersion: version, supportedVersions: [version] };
    return [put(request), back({ jsonrpc: '2.0', id, result: { ...(result as object), ...versions } })];
  };
  const refused = others
    .filter(({ result }) => result !== undefined)
    .flatMap(({ method, params, direction }) => {
      const error = { jsonrpc: '2.0', id: ++id, error: { code: -32603, message: text, data: { [text]: text } } };
      const request = { jsonrpc: '2.0', id, method, params };
      return direction === 'to-server' ? [sent(request), got(error)] : [got(request), sent(error)];
    });
  return [
    ...events.start,
    ...events.spawned,
    ...first.flatMap(framesOf),
    ...events.open,
    ...others.flatMap(framesOf),
    ...refused,
    // Waits for an answer.
    ...others
      .filter(({ direction, result }) => direction === 'to-client' && result)
      .map(({ method, params }) => got({ jsonrpc: '2.0', id: `waits ${++id}`, method, params })),
    asked(++id, text, { [text]: text }),
    answered(id, text),
    answered(id, { [text]: text }),
    got(text),
    got({ jsonrpc: '2.0', method: text, params: { [text]: text } }),
    got([{ jsonrpc: '2.0', method: text }, text]),
    complained(text),
    complained(`\u001b[31m${text}\u001b]8;;javascript:globalThis.ran=1\u0007x`),
    ...httpOf(text).map((frame) => onChannel('http', frame)),
    ...telemetryOf(text).map((unit) => onChannel('otel', unit)),
    onChannel('app', { jsonrpc: '2.0', id: 1, method: text, params: { [text]: text } }),
    onChannel('intercept', { jsonrpc: '2.0', method: text }),
    onChannel('unknown', text),
    ...Object.entries(events).flatMap(([name, all]) => (BEFORE.has(name) ? [] : all)),
    onChannel('lifecycle', { event: text, message: text }),
    ...LAST.flatMap((name) => events[name]),
  ];
}

const LAST = ['closing', 'exit', 'recording-failed', 'failed', 'closed'] as const;
const BEFORE: ReadonlySet<string> = new Set<LifecycleEvent['event']>(['start', 'spawned', 'open', ...LAST]);

/** The members of each form of an event. */
type Members<E> = E extends unknown ? Omit<E, 'event'> : never;

/** Each event with the frames that show it. The compiler demands every event. */
function eventsOf(version: ProtocolVersion, text: string) {
  const failure = { code: text, message: text, advice: text };
  const passing = { direction: 'to-server', kind: 'request', method: text, name: text, id: text } as const;
  const environment = { policy: 'allowlist', inherited: [text], added: [text], telemetry: [text] } as const;
  const profile = { info: { name: text, title: text, version: text }, meta: { [text]: text } };
  const all: { readonly [E in LifecycleEvent['event']]: readonly Members<Extract<LifecycleEvent, { event: E }>>[] } = {
    start: [
      {
        at: '2026-01-31T12:00:00.000Z',
        name: text,
        transport: 'stdio',
        command: text,
        args: [text],
        placeholders: [text],
        cwd: text,
        environment,
        profile,
        protocol: 'auto',
      },
    ],
    'look-further': [{ where: 'paths' }],
    fallback: [{ transport: 'sse', reason: text }],
    'session-lost': [{ reason: text }],
    unreachable: [{ ...failure, retryMs: 1 }],
    reachable: [{ attempts: 1 }],
    authorization: [
      { phase: 'needed', issuer: text, scopes: [text], url: text },
      { phase: 'granted', issuer: text, scopes: [text], by: 'sign-in' },
      { phase: 'refused', ...failure },
      { phase: 'signed-out' },
    ],
    'auth-step': [{ step: 'keep', phase: 'failed', ...failure }],
    'auth-callback': [{ parameters: [[text, text]] }],
    spawned: [{ pid: 7, program: text, venv: text }],
    'era-remembered': [{ era: 'legacy', at: text }],
    'era-forgotten': [{ reason: text }],
    'probe-silent': [{ afterMs: 1 }],
    probe: [{ era: 'legacy', reason: text, respawn: false }],
    open: [{ era: version > '2026' ? 'modern' : 'legacy', version }],
    'handshake-failed': [],
    timeout: [{ id: text, method: text, afterMs: 1 }],
    retry: [{ id: text, method: text, reason: text }],
    input: [
      { id: text, method: text, phase: 'asked', keys: [text] },
      { id: text, method: text, phase: 'given', key: text },
      { id: text, method: text, phase: 'given-up', reason: text },
    ],
    task: [{ id: text, taskId: text, phase: 'given-up', reason: text }],
    'standing-answer': [{ id: text, method: text, key: text }],
    profile: [{ profile }],
    roots: [{ roots: [{ uri: text, name: text }] }],
    'log-level': [{ level: text }],
    closing: [{ reason: 'user' }],
    rung: [{ rung: 'SIGTERM' }],
    exit: [{ code: null, signal: text }],
    'line-unended': [{ text }],
    'output-held': [{ message: text }],
    'spill-failed': [{ message: text }],
    'telemetry-dropped': [{ why: 'invalid', reason: text, requests: 1, items: 1 }],
    'recording-failed': [{ message: text }],
    failed: [failure],
    note: [{ on: 3, text, bookmark: true }],
    about: [{ name: text, text }],
    pins: [
      { phase: 'started', calls: 1, by: 'user' },
      { phase: 'played', key: text, name: text, verdict: 'changed', why: text, ms: 1, ends: [text, text] },
      { phase: 'ended', why: text },
    ],
    rules: [{ rules: [{ name: text, when: text, do: 'hold', file: text }] }],
    held: [{ hold: 1, rule: text, bytes: 9, ...passing }],
    'given-up': [{ hold: 1, reason: text, ...passing }],
    overlay: [{ text, file: text, notified: 1 }],
    intercepted: [{ rule: text, did: 'delay', hold: 1, delivered: 0, ...passing }],
    'recording-ends': [],
    missing: [],
    closed: [{}],
  };
  const seeds = Object.entries(all).map(([event, members]) => [
    event,
    members.map((member) => happened({ event, ...member } as LifecycleEvent)),
  ]);
  return Object.fromEntries(seeds) as Readonly<Record<LifecycleEvent['event'], readonly FrameSeed[]>>;
}

/** Each kind of frame of HTTP. */
function httpOf(text: string): readonly HttpFrame[] {
  const headers = [[text, text]] as const;
  const certificate = { subject: text, issuer: text, names: [text], validFrom: text, validTo: text, fingerprint: text };
  const all: { readonly [K in HttpFrame['kind']]: Omit<Extract<HttpFrame, { kind: K }>, 'kind' | 'exchange'> } = {
    request: { method: 'POST', url: text, headers, bytes: 1, about: 'server-card' },
    socket: {
      host: text,
      port: 1,
      addresses: [text],
      address: text,
      httpProxy: { url: text, variable: text, address: text, target: text },
      tls: { protocol: text, cipher: text, alpn: text, verified: false, certificate },
      failure: { step: 'tls', code: text, message: text },
    },
    response: { status: 500, headers },
    'cors-probe': { method: text, asks: { header: text }, passed: false },
    sse: { event: text, id: text, comment: text, data: text },
    body: { bytes: 9, text },
    end: { by: 'failure', code: text, message: text, unanswered: [text] },
  };
  return Object.entries(all).map(([kind, members]) => ({ kind, exchange: 1, ...members }) as HttpFrame);
}

/** A span, a log record and a metric, as JSON of OTLP. */
function telemetryOf(text: string): readonly object[] {
  const attributes = [{ key: text, value: { stringValue: text } }];
  const about = { service: text, of: text, scope: text };
  const span = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), name: text, kind: 1, attributes };
  const times = { startTimeUnixNano: '1769860800000000000', endTimeUnixNano: '1769860801000000000' };
  return [
    { resource: text, attributes },
    { ...about, span: { ...span, ...times, status: { code: 2, message: text }, events: [{ name: text, attributes }] } },
    { ...about, log: { severityNumber: 17, severityText: text, body: { stringValue: text }, attributes } },
    {
      ...about,
      metric: { name: text, description: text, unit: text, gauge: { dataPoints: [{ asDouble: 1, attributes }] } },
    },
  ];
}
