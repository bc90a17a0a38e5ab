import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ErrorResponse } from '@/lib/mcp/answering';
import type { ForwardedRequest } from '@/lib/replay/server/replay';
import { keptOutput } from '../headless/test-connection';
import { LiveServer } from './live-server';

const ASK = join(import.meta.dirname, '../../../e2e/servers/ask-server.mjs');

test('forwards requests of the live server to the client whose request it is answering', async () => {
  const out = keptOutput();
  const live = new LiveServer({ words: [process.execPath, ASK], version: '0.0.0-test', home: '', out });
  live.adoptProtocol({ era: 'legacy', version: '2025-11-25' });
  const call = (name: string, ask: ForwardedRequest['ask']) => {
    const { signal } = new AbortController();
    const params = JSON.stringify({ name });
    return live.forward({ method: 'tools/call', params, capabilities: {}, signal, onProgress: () => {}, ask });
  };
  try {
    const asked: unknown[] = [];
    const answered = await call('kinds', async (method, params) => {
      asked.push(method, JSON.parse(params!).message);
      return '{"action":"accept","content":{"n":12345678901234567890}}';
    });
    expect(asked).toEqual(['elicitation/create', 'Please fill in kinds.']);
    expect(answered.text).toContain('\\"content\\":{\\"n\\":12345678901234567890}');
    const refused = await call('sample', async () => {
      throw new ErrorResponse(-1, 'The person said no');
    });
    expect(refused.text).toContain('\\"error\\":{\\"code\\":-1,\\"message\\":\\"The person said no\\"}');

    const gone = new AbortController();
    const given = { method: 'tools/call', params: '{"name":"roots"}', capabilities: {}, onProgress: () => {} };
    const late = live.forward({ ...given, signal: gone.signal, ask: () => new Promise(() => gone.abort()) });
    expect(await late).toMatchObject({ kind: 'error' });
    expect(out.notes.filter((note) => note.startsWith('mcp-inspect'))).toEqual([]);
  } finally {
    await live.close();
  }
});
