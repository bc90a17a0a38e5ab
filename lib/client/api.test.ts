import { describe, expect, test, vi } from 'vitest';
import { TOKEN_HEADER } from '@/lib/wire/api';
import { Api } from './api';

const answering = (response: Response | Error) =>
  vi.fn(async (_path: string, _init: RequestInit) => {
    if (response instanceof Error) throw response;
    return response;
  });

describe('reading', () => {
  test('carries the token in the Authorization header only', async () => {
    const fetch = answering(new Response('[]'));
    expect(await new Api('secret', fetch).get('/api/connections')).toEqual([]);
    const [path, init] = fetch.mock.calls[0]!;
    expect(path).toBe('/api/connections');
    expect(init.headers).toEqual({ [TOKEN_HEADER]: 'secret' });
  });

  test.each([
    [new Response('', { status: 401 }), 'token-refused'],
    [new Response('', { status: 403 }), 'token-refused'],
    [new Response('', { status: 500 }), 'proxy-error'],
    [new Response('<html>'), 'proxy-error'],
    [new TypeError('fetch failed'), 'proxy-unreachable'],
  ])('fails with a failure for people: %#', async (response, code) => {
    await expect(new Api('secret', answering(response)).get('/api/servers')).rejects.toMatchObject({
      code,
      message: expect.stringMatching(/\.$/),
      advice: expect.stringMatching(/\.$/),
    });
  });
});

test.each([
  [new Response('', { status: 401 }), true],
  [new Response('{}'), false],
  [new Response('', { status: 503 }), false],
  [new TypeError('fetch failed'), false],
])('a token counts as refused only when the proxy says so: %#', async (response, refused) => {
  expect(await new Api('secret', answering(response)).isTokenRefused()).toBe(refused);
});

describe('an import', () => {
  const answer = ['{"converted":{"done":1,"of":4}}\n', '{"converted":{"done":3,"of', '":4}}\n', '{"id":"a"}\n'];

  /** Answers as the proxy does, piece by piece. */
  function importing(pieces: readonly string[]) {
    const steps: unknown[] = [];
    const api = new Api('secret', async (_path, _init, progress) => {
      let received = '';
      progress?.onSent(5);
      for (const piece of pieces) {
        received += piece;
        progress?.onReceived(received);
      }
      return new Response(received);
    });
    const options = {
      signal: new AbortController().signal,
      onSent: (sent: number) => steps.push(sent),
      onConverted: (converted: unknown) => steps.push(converted),
    };
    return { steps, id: api.importRecording(new Blob(['12345']), options) };
  }

  test('reports the progress of a conversion, which comes in lines before the id', async () => {
    const { steps, id } = importing(answer);
    expect(await id).toEqual({ id: 'a' });
    const converted = [1, 1, 3].map((done) => ({ done, of: 4 }));
    expect(steps).toEqual([5, ...converted]);
  });

  test('resolves without progress', async () => {
    const { steps, id } = importing(['{"id":"a"}']);
    expect(await id).toEqual({ id: 'a' });
    expect(steps).toEqual([5]);
  });

  test('fails with the failure in the last line, or for an answer that breaks off', async () => {
    const failure = { code: 'har-without-mcp', message: 'None.', advice: 'Export it.' };
    await expect(importing([answer[0]!, `${JSON.stringify(failure)}\n`]).id).rejects.toMatchObject(failure);
    await expect(importing([answer[0]!]).id).rejects.toMatchObject({ code: 'proxy-error' });
    await expect(importing([]).id).rejects.toMatchObject({ code: 'proxy-error' });
  });
});
