import { join } from 'node:path';
import * as v1 from '@modelcontextprotocol/ext-tasks/core/v1';
import * as v2 from '@modelcontextprotocol/ext-tasks/core/v2';
import { afterEach, describe, expect, test } from 'vitest';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { ClientHandlers } from '@/lib/mcp/answering';
import { capabilitiesFor } from '@/lib/mcp/declared-capabilities';
import { ALL_CAPABILITIES } from '@/lib/wire/client-capabilities';
import { systemClock } from '@/lib/wire/clock';
import type { ProtocolVersion } from '@/lib/wire/lifecycle';
import { ExitError } from '@/proxy/cli/exit-code';
import { resolveLaunch } from '@/proxy/connection/launch';
import { createTransport } from '@/proxy/connection/transports';
import { Reaper } from '@/proxy/process/reaper';
import { type Following, ServerConnection } from './headless/server-connection';
import { prepareAction, requestOf } from './test-command-line';

const FIXTURE = join(import.meta.dirname, '../../e2e/servers/tasks-server.mjs');
const ACCEPT: ClientHandlers = new Map([
  ['elicitation/create', () => '{"action":"accept","content":{"colour":"red"}}'],
]);
const CALL = '{"name":"quick","arguments":{"steps":1}}';

const connections: ServerConnection[] = [];
afterEach(async () => {
  await Promise.all(connections.splice(0).map((each) => each.close()));
});

/** Connects to the server with tasks. `messages` are all messages of both sides. */
async function connected(version: ProtocolVersion, handlers: ClientHandlers = ACCEPT) {
  const messages: JsonObject[] = [];
  const mode = version === '2025-11-25' ? 'legacy' : 'modern';
  const target = { transport: 'stdio', command: process.execPath, args: [FIXTURE, mode] } as const;
  const [clock, reaper] = [systemClock, new Reaper()];
  const connection = new ServerConnection(resolveLaunch(target, version, []), {
    clock,
    version: '0.0.0-test',
    timeoutMs: 30_000,
    client: { info: undefined, handlers, capabilities: (one) => capabilitiesFor(ALL_CAPABILITIES, one) },
    append(channel, _direction, _flags, _time, source, start, end) {
      const text = channel === 'protocol' ? new TextDecoder().decode(source.subarray(start, end)) : '';
      if (text.startsWith('{')) messages.push(JSON.parse(text) as JsonObject);
      return 1;
    },
    openTransport: (launched, sink) =>
      createTransport(launched, { sink, clock, reaper, version: '0.0.0-test', allowLinkLocal: false }),
    lookFurther: async () => {},
  });
  connections.push(connection);
  await connection.open();
  const call = (params: string, following: Following = { task: {} }) =>
    connection.request('tools/call', params, undefined, undefined, following);
  return { connection, call, messages };
}

/** The official schemas of each version's messages about tasks. */
const SCHEMAS = {
  '2025-11-25': {
    'tasks/get': [v1.GetTaskRequestV1Schema, v1.GetTaskResultV1Schema],
    'tasks/result': [v1.GetTaskResultRequestV1Schema, v1.CallToolResultV1Schema],
    'tasks/cancel': [v1.CancelTaskRequestV1Schema, v1.CancelTaskResultV1Schema],
    'tools/call': [v1.CallToolRequestV1Schema, v1.CreateTaskResultV1Schema],
  },
  '2026-07-28': {
    'tasks/get': [v2.GetTaskRequestV2Schema, v2.GetTaskResultV2Schema],
    'tasks/update': [v2.UpdateTaskRequestV2Schema, v2.UpdateTaskResultV2Schema],
    'tasks/cancel': [v2.CancelTaskRequestV2Schema, v2.CancelTaskResultV2Schema],
    'tools/call': [undefined, v2.CreateTaskResultV2Schema],
  },
} as const;

describe.each(['2025-11-25', '2026-07-28'] as const)('%s', (version) => {
  test('every message about tasks fits the official schemas', async () => {
    const { call, messages } = await connected(version);
    expect(await call(CALL)).toMatchObject({ kind: 'result' });
    expect(await call('{"name":"ask"}')).toMatchObject({ kind: 'result' });
    expect(await call('{"name":"fail"}')).toMatchObject({ kind: 'error', error: { code: -32050 } });
    let checked = 0;
    for (const request of messages) {
      const method = String(own(request, 'method'));
      const [asked, answered] = Object.entries(SCHEMAS[version]).find(([name]) => name === method)?.[1] ?? [];
      if (answered === undefined) continue;
      const answer = messages.find((one) => own(one, 'id') === own(request, 'id') && own(one, 'method') === undefined);
      if (asked) expect(asked.safeParse(request).error, JSON.stringify(request)).toBeUndefined();
      const result = answer && own(answer, 'result');
      if (isObject(result)) expect(answered.safeParse(result).error, JSON.stringify(result)).toBeUndefined();
      checked++;
    }
    expect(checked).toBeGreaterThan(5);
  });

  test('the text of a result is that of the server', async () => {
    const { call, messages } = await connected(version);
    const reports: string[] = [];
    const answer = await call(CALL, { task: { ttl: 5000 }, onTaskReport: ({ status }) => reports.push(status) });
    expect(answer).toMatchObject({
      text: expect.stringContaining('{"content":[{"type":"text","text":"done in 1 steps"}]'),
    });
    expect(reports[0]).toBe('working');
    const started = messages.find((message) => JSON.stringify(message).includes('createdAt'))!;
    expect(JSON.stringify(started)).toContain(version === '2025-11-25' ? '"ttl":5000' : '"ttlMs":60000');
  });

  test('a task that ends without a result is a sentence', async () => {
    const { call } = await connected(version, new Map());
    await expect(call('{"name":"expire"}')).rejects.toThrow(
      /Task task-1 was given up: tasks\/get was answered with error/,
    );
    if (version === '2026-07-28') {
      await expect(call('{"name":"ask"}')).rejects.toThrow(/asked for input, so it was cancelled.*--answers FILE/);
    }
  });

  test('a task of an earlier call is followed from its description', async () => {
    const { call, connection } = await connected(version);
    await call(CALL);
    const described = await connection.request('tasks/get', '{"taskId":"task-1"}');
    const { result } = described as { result: JsonObject };
    expect(await connection.followTask(result, undefined)).toMatchObject({
      text: expect.stringContaining('done in 1'),
    });
    const cancelled = { ...result, status: 'cancelled' };
    await expect(connection.followTask(cancelled, undefined)).rejects.toThrow('The server cancelled the task.');
  });
});

test.each([
  [['call', 'a', '--task', '1s'], /whole number of milliseconds/],
  [['call', 'a', '--task', '1.5'], /whole number of milliseconds/],
  [['call', 'a', '--task', 'auto', '--protocol', 'none'], /needs the handshake/],
  [['tasks', 'lst'], /did you mean `list`/],
  [['tasks', 'list', 'x'], /takes no id/],
  [['tasks', 'cancel'], /needs the id of a task/],
])('%j is refused', async (words, sentence) => {
  const request = requestOf(...words, '--demo');
  expect(request.command).toBe(words[0]);
  const preparing = prepareAction(...words, '--demo');
  await expect(preparing).rejects.toThrow(ExitError);
  await expect(preparing).rejects.toThrow(sentence);
});
