import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RecordingReader } from '@/lib/recording/recording-reader';
import { ShareReview } from '@/lib/redact/share-review';
import { survivors } from '@/lib/redact/test-survivors';
import { systemClock } from '@/lib/wire/clock';
import { closedAfterEach } from '@/lib/wire/test-closing';
import { Recorder } from '../recorder/recorder';
import { initialized, json, result, startHttp } from './fixtures/http-fixture';
import { openHub } from './test-hub';

const open = closedAfterEach();

const COOKIE = 'Zx9kQ2vLm4Tn8RwB';
const SESSION = 'sess-9f8a7b6c5d4e';
const KEY = 'Yy7kd0a9sd8f';

/** A server that repeats masked header values in a result, recorded in a folder. */
async function start() {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
  const inForms = [COOKIE, SESSION, KEY]
    .flatMap((secret) => [Buffer.from(`a ${secret}`).toString('base64'), Buffer.from(secret).toString('hex')])
    .join(' ');
  const fixture = await startHttp(({ message }, response) => {
    if (message?.method === 'initialize') {
      const headers = { 'mcp-session-id': SESSION, 'set-cookie': `sid=${COOKIE}; Path=/` };
      json(response, initialized(message.id, { tools: {} }), 200, headers);
    } else if (message?.method === 'tools/list') {
      json(
        response,
        result(message.id, {
          tools: [{ name: `${COOKIE} ${SESSION} ${KEY}`, description: inForms, inputSchema: { type: 'object' } }],
        }),
      );
    } else if (message?.id !== undefined) json(response, result(message.id, {}));
    else response.writeHead(202).end();
  });
  const recorder = new Recorder({ clock: systemClock, version: '0.0.0-test', folder });
  const hub = await openHub(systemClock, undefined, undefined, recorder);
  open.push({ close: () => rmSync(folder, { recursive: true }) }, fixture, hub);
  const tab = await hub.tab();
  const target = { transport: 'http', url: `${fixture.origin}/mcp`, headers: { 'X-Mine': KEY } } as const;
  const connection = await tab.connect(target, 'open', '2025-11-25');
  await tab.until(() => tab.texts('protocol').some((text) => text.includes(COOKIE)));
  return { hub: hub.hub, tab, connection, folder };
}

test('masked header values are in no body of the recording', async () => {
  const { tab, connection, folder } = await start();
  await tab.ask({ type: 'close', connection });
  await tab.lifecycle('closed');
  const [file] = readdirSync(folder);
  await expect.poll(() => readFileSync(join(folder, file!), 'utf8')).toContain('"k":"end"');
  const recording = readFileSync(join(folder, file!), 'utf8');
  expect(recording).toContain('"tools":[');
  const planted = [COOKIE, SESSION, KEY].map((secret) => ({ where: secret, secret, frames: [] }));
  expect(survivors(recording, planted)).toEqual([]);
});

test('masked header values are not in the shared log, whose review lists them as masked', async () => {
  const { hub, tab, connection } = await start();
  const reader = new RecordingReader();
  const review = new ShareReview();
  const seqs: number[] = [];
  for await (const chunk of hub.redactedLog(connection, tab.frames.length)) {
    for (const frame of reader.readChunk(chunk)) {
      seqs.push(frame.seq);
      review.addFrame(frame);
      for (const secret of [COOKIE, SESSION, KEY]) expect(new TextDecoder().decode(frame.bytes)).not.toContain(secret);
    }
  }
  expect(seqs).toEqual(tab.frames.map(({ seq }) => seq));
  const masked = review.findings().list.filter(({ kind }) => kind === 'masked');
  expect(masked.map(({ sample }) => sample)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^\[redacted:secret:/)]),
  );
});

test('reading too many frames, or an unknown connection, fails', async () => {
  const { hub, connection } = await start();
  expect(() => hub.redactedLog(connection, 1e6)).toThrow(expect.objectContaining({ code: 'no-such-frames' }));
  expect(() => hub.redactedLog('c9', 1)).toThrow(expect.objectContaining({ code: 'no-connection' }));
});

/** Asks for a password, which only a title names, and repeats the answer. */
const ASKER = `
const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
const serverInfo = { name: 'asker', version: '1' };
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (method === 'initialize') say({ id, result: { protocolVersion: params.protocolVersion, capabilities: {}, serverInfo } });
  else if (method === 'notifications/initialized')
    say({ id: 'ask', method: 'elicitation/create', params: { message: 'Sign in', requestedSchema: {
      type: 'object', properties: { value: { type: 'string', title: 'Password' } } } } });
  else if (id === 'ask') say({ method: 'notifications/message', params: { level: 'info', data: result.content } });
});`;

test.each(['Tr0ub4dorZ-77', 'letmeinplease', '49381755', 'pw4you'])(
  'an answer to a form that asks for a secret is not in the recording: %s',
  async (secret) => {
    const folder = mkdtempSync(join(tmpdir(), 'mcp-inspect-test-'));
    const recorder = new Recorder({ clock: systemClock, version: '0.0.0-test', folder });
    const hub = await openHub(systemClock, undefined, undefined, recorder);
    open.push({ close: () => rmSync(folder, { recursive: true }) }, hub);
    const tab = await hub.tab();
    const target = { transport: 'stdio', command: process.execPath, args: ['-e', ASKER] } as const;
    const connection = await tab.connect(target, 'open', '2025-11-25');
    await tab.until(() => tab.texts('protocol').some((text) => text.includes('elicitation/create')));
    const answer = { result: JSON.stringify({ action: 'accept', content: { value: secret } }) };
    await tab.ask({ type: 'answer', connection, id: 'ask', answer });
    await tab.until(() => tab.texts('protocol').some((text) => text.includes('notifications/message')));
    await tab.ask({ type: 'close', connection });
    await tab.lifecycle('closed');
    const [file] = readdirSync(folder);
    await expect.poll(() => readFileSync(join(folder, file!), 'utf8')).toContain('"k":"end"');
    const recording = readFileSync(join(folder, file!), 'utf8');
    expect(recording).toContain('notifications/message');
    expect(recording).not.toContain(secret);
  },
);
