import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isObject, own } from '@/lib/json/value';
import { readTelemetry, type TelemetrySpan } from '@/lib/otel/telemetry';
import { systemClock } from '@/lib/wire/clock';
import type { Target } from '@/lib/wire/command';
import type { Frame } from '@/lib/wire/frame';
import type { ProtocolChoice } from '@/lib/wire/lifecycle';
import { parseTraceparent, type TraceContext } from '@/lib/wire/trace-context';
import { resolveLaunch } from '@/proxy/connection/launch';
import { createTransport } from '@/proxy/connection/transports';
import { readOtelAddress } from '@/proxy/otel/otel-address';
import { ServerTelemetry } from '@/proxy/otel/server-telemetry';
import { ownReaper } from '@/proxy/process/reaper';
import { frameTap } from './frame-tap';
import { ServerConnection } from './server-connection';

const SERVERS = join(import.meta.dirname, '../../../e2e/servers');
const REGISTER = join(SERVERS, 'node_modules/@opentelemetry/auto-instrumentations-node/build/src/register.js');
const SERVER = join(SERVERS, 'otel-server.mjs');
/** Calls at once, and the protocols of OTLP on either transport: each once, or all combinations. */
const [CALLS, STDIO_PROTOCOLS, HTTP_PROTOCOLS] = process.env.TEST_LONG
  ? [1000, ['http/protobuf', 'http/json'], ['http/protobuf', 'http/json']]
  : [100, ['http/protobuf'], ['http/json']];

/** A session with a server, and all of its frames. */
async function sessionWith(
  target: Target,
  { protocol = 'auto', at }: { readonly protocol?: ProtocolChoice; readonly at?: string } = {},
) {
  const launch = resolveLaunch(target, protocol, []);
  const telemetry = ServerTelemetry.of(launch, at === undefined ? undefined : readOtelAddress(at));
  const frames: Frame[] = [];
  let seq = 0;
  const connection = new ServerConnection(launch, {
    clock: systemClock,
    version: '1',
    telemetry,
    traced: telemetry !== undefined,
    lookFurther: async () => {},
    append: frameTap(
      () => ++seq,
      (frame) => frames.push(frame),
    ),
    openTransport: (launched, sink) =>
      createTransport(launched, {
        sink,
        clock: systemClock,
        reaper: ownReaper,
        version: '1',
        allowLinkLocal: false,
        lateVariables: () => telemetry?.variables ?? {},
      }),
  });
  onTestFinished(() => connection.close());
  await connection.open();
  return { connection, frames, secrets: telemetry?.secrets ?? [] };
}

const command = (env: Record<string, string> = {}): Target => ({
  transport: 'stdio',
  command: process.execPath,
  args: ['--import', REGISTER, SERVER],
  env: { OTEL_NODE_RESOURCE_DETECTORS: 'none', ...env },
});

/** The server without the SDK, which takes a second to load. It sends nothing. */
const silentCommand = (env: Record<string, string> = {}): Target => ({
  transport: 'stdio',
  command: process.execPath,
  args: [SERVER],
  env,
});

/** Returns the trace contexts of the calls in a session. */
function sentContexts(frames: readonly Frame[]): readonly (TraceContext | undefined)[] {
  return frames
    .filter(({ channel, direction }) => channel === 'protocol' && direction === 'to-server')
    .map(({ bytes }) => JSON.parse(Buffer.from(bytes).toString()))
    .filter(({ method }) => method === 'tools/call')
    .map(({ params }) => {
      const meta = own(params, '_meta');
      return isObject(meta) ? parseTraceparent(own(meta, 'traceparent')) : undefined;
    });
}

function spansIn(frames: readonly Frame[]): readonly TelemetrySpan[] {
  return frames.flatMap(({ channel, bytes }) => {
    const unit = channel === 'otel' ? readTelemetry(bytes) : undefined;
    return unit && 'span' in unit ? [unit] : [];
  });
}

/** Calls the tool many times at once, ends the session, and checks that every span is in the trace of its call. */
async function expectSpansOfCalls({ connection, frames }: Awaited<ReturnType<typeof sessionWith>>) {
  const add = (n: number) => connection.request('tools/call', `{"name":"add","arguments":{"a":${n},"b":1}}`);
  const answers = await Promise.all(Array.from({ length: CALLS }, (_, n) => add(n)));
  expect(answers.every(({ kind }) => kind === 'result')).toBe(true);
  const ours = (): readonly TelemetrySpan[] => spansIn(frames).filter(({ scope }) => scope === 'otel-server');
  await expect.poll(() => ours().length).toBe(2 * CALLS);
  await connection.close();
  const contexts = sentContexts(frames);
  expect(contexts).toHaveLength(CALLS);
  const byTrace = new Map<string, TelemetrySpan[]>();
  for (const one of ours()) byTrace.set(one.span.traceId, [...(byTrace.get(one.span.traceId) ?? []), one]);
  expect(byTrace.size).toBe(CALLS);
  for (const context of contexts) {
    const spans: readonly TelemetrySpan[] = byTrace.get(context!.traceId)!;
    const call = spans.find(({ span }) => span.name === 'tools/call add')!.span;
    expect(call.parentSpanId).toBe(context!.spanId);
    expect(spans.find(({ span }) => span.name === 'work')!.span.parentSpanId).toBe(call.spanId);
  }
}

// The packages are the dependencies of test servers.
describe.skipIf(!existsSync(REGISTER))('a server with the OpenTelemetry SDK for Node', { timeout: 120_000 }, () => {
  it.each(STDIO_PROTOCOLS)(`sends every span of ${CALLS} calls at once on stdio by %s`, async (protocol) => {
    await expectSpansOfCalls(await sessionWith(command({ OTEL_EXPORTER_OTLP_PROTOCOL: protocol })));
  });

  it.each(HTTP_PROTOCOLS)(`sends every span of ${CALLS} calls at once over HTTP by %s`, async (protocol) => {
    const at = `http://127.0.0.1:${await freePort()}/otel/a-token-that-both-know`;
    const env = { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: at, OTEL_EXPORTER_OTLP_PROTOCOL: protocol };
    const server = spawn(process.execPath, ['--import', REGISTER, SERVER, '--http'], {
      env: {
        ...env,
        OTEL_NODE_RESOURCE_DETECTORS: 'none',
        OTEL_BSP_SCHEDULE_DELAY: '100',
        OTEL_BSP_MAX_QUEUE_SIZE: '16384',
      },
    });
    onTestFinished(() => void server.kill('SIGKILL'));
    const [port] = (await once(server.stdout, 'data')) as [Buffer];
    const url = `http://127.0.0.1:${String(port).trim()}/mcp`;
    await expectSpansOfCalls(await sessionWith({ transport: 'http', url }, { at }));
  });

  it('answers a call without arguments, and its span says why it failed', async () => {
    const { connection, frames } = await sessionWith(command());
    const answer = await connection.request('tools/call', '{"name":"break"}');
    expect(JSON.stringify(answer)).toContain('broken');
    await connection.close();
    const { span } = spansIn(frames).find(({ span: { name } }) => name === 'tools/call break')!;
    expect(span.parentSpanId).toBe(sentContexts(frames)[0]!.spanId);
    expect(span.status?.code).toBe(2);
    expect(JSON.stringify(span.events)).toContain('"exception.message","value":{"stringValue":"broken"}');
  });

  it.each(['docs/otel.md', 'components/log/recipe.tsx'])('is instrumented as %s shows', (recipe) => {
    // Without white space, since files are formatted differently.
    const code = (path: string): string => readFileSync(path, 'utf8').replace(/\s+/g, '');
    const [traced] = /consttraced=.*?\}\),\);/.exec(code(SERVER))!;
    expect(code(join(import.meta.dirname, '../../..', recipe))).toContain(traced);
  });

  it('gets variables whose names are in the log and whose token is in no frame', async () => {
    const { connection, frames, secrets } = await sessionWith(silentCommand());
    await connection.close();
    const start = JSON.parse(Buffer.from(frames[0]!.bytes).toString());
    expect(start.environment.telemetry).toContain('OTEL_EXPORTER_OTLP_ENDPOINT');
    const texts = frames.map(({ bytes }) => Buffer.from(bytes).toString());
    expect(secrets).toHaveLength(1);
    expect(texts.filter((text) => text.includes(secrets[0]!))).toEqual([]);
  });

  it('gets requests as the user wrote them with a pinned version', async () => {
    const { connection, frames } = await sessionWith(silentCommand(), { protocol: '2025-06-18' });
    await connection.request('tools/call', '{"name":"add","arguments":{"a":1,"b":1}}');
    expect(sentContexts(frames)).toEqual([undefined]);
  });

  it('gets the trace context that the caller set', async () => {
    const { connection, frames } = await sessionWith(silentCommand());
    const own = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const params = { name: 'add', arguments: { a: 1, b: 1 }, _meta: { traceparent: own } };
    await connection.request('tools/call', JSON.stringify(params));
    expect(sentContexts(frames)).toEqual([parseTraceparent(own)]);
  });

  it('is left alone if it sends its telemetry elsewhere', async () => {
    const { frames } = await sessionWith(
      silentCommand({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:9/v1/traces' }),
    );
    const start = JSON.parse(Buffer.from(frames[0]!.bytes).toString());
    expect(start.environment.telemetry).toBeUndefined();
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
