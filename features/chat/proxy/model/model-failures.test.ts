import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { ModelError } from '@/features/chat/lib/model';
import { ADD, ask, asking, optionsFor, PROVIDERS, startEndpoints } from './test-models';

const endpoints = startEndpoints();

const TITLES = { openai: 'OpenAI', anthropic: 'Anthropic', google: 'Google', ollama: 'Ollama' };

describe.each(PROVIDERS)('%s', (provider, path) => {
  const fail = async (model: string): Promise<ModelError> => {
    const error = await ask(
      `${provider}:${model}`,
      optionsFor(endpoints().url + path),
      asking('x', { tools: [ADD] }),
    ).catch((reason: unknown) => reason);
    if (!(error instanceof ModelError)) throw new Error(`No ModelError, but ${String(error)}`);
    return error;
  };

  test.each([
    ['e401', 'unauthorized', 'refused the key: Incorrect API key provided.', false],
    ['e403', 'forbidden', 'does not allow this key to use e403: Your key may not use this model.', false],
    ['e404', 'unknown-model', 'has no model e404 at ', false],
    ['e429', 'rate-limited', 'accepts no more requests for now (rate limit): Too many requests.', true],
    ['quota', 'no-credit', 'refused the request: the account has no credit left: ', false],
    ['e500', 'server-error', 'failed to answer (HTTP 500): Internal server error.', true],
    ['e503', 'overloaded', 'is overloaded: The model is overloaded.', true],
    ['e529', 'overloaded', 'is overloaded: Overloaded.', true],
    ['context', 'context-too-long', 'refused the request: it is longer than context can read: ', false],
    ['no-tools', 'tools-unsupported', 'refused the tools: no-tools has no native tool calling here: ', false],
    ['policy', 'content-refused', 'refused the content of the request: ', false],
    ['e400', 'bad-request', 'refused the request (HTTP 400): Unknown parameter: tools[0].x.', false],
  ])('%s is %s', async (model, code, sentence, retry) => {
    const error = await fail(model);
    expect(error.code).toBe(code);
    expect(error.message).toContain(`${TITLES[provider]} ${sentence}`);
    expect(error.message).toMatch(/[.!?]$/);
    expect(error.advice).toMatch(/^[A-Z].*\.$/);
    expect(error.more.retry ?? false).toBe(retry);
    expect(error.more.status).toBe(Number(/e(\d+)/.exec(model)?.[1] ?? error.more.status));
    expect(error.more.body).toContain('"error"');
  });

  test('says how long to wait, from a header or from the details', async () => {
    expect((await fail('e429')).more.retryAfterMs).toBe(7000);
    expect((await fail('delay429')).more.retryAfterMs).toBe(12_500);
    expect((await fail('e503')).more.retryAfterMs).toBeUndefined();
  });

  test.each(['breaks', 'ends', 'not-json', 'other-form'])('%s is a broken stream', async (model) => {
    const error = await fail(model);
    expect([error.code, error.more.retry, error.more.status]).toEqual(['broken-stream', true, 200]);
    expect(error.more.body).toMatch(/Once|object/);
  });

  test('a web page is not asked for again', async () => {
    const error = await fail('html');
    expect([error.code, error.more.retry ?? false, error.more.status]).toEqual(['not-an-api', false, 200]);
    expect(error.message).toContain(' answered with a web page, not as ');
    expect(error.more.body).toContain('Welcome');
  });

  test('an error inside a stream tells what it is', async () => {
    const error = await fail('fails');
    expect([error.code, error.more.retry]).toEqual(['overloaded', true]);
    expect(error.message).toBe(`${TITLES[provider]} is overloaded: Overloaded.`);
  });

  test('another origin does not get the conversation by a redirect', async () => {
    const error = await fail('moved');
    expect(error.code).toBe('redirect-refused');
    expect(error.message).toContain('http://localhost:1');
  });
});

test('says how to start a server that does not run', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  const options = optionsFor(`http://127.0.0.1:${port}`);
  const error = await ask('ollama:tiny', options, asking('x')).catch((reason) => reason);
  expect(error).toMatchObject({ code: 'unreachable', more: {} });
  expect(error.message).toContain(
    `Ollama does not answer at http://127.0.0.1:${port}/v1. Connection refused (ECONNREFUSED).`,
  );
  expect(error.advice).toBe('Start it with `ollama serve`, or correct the base URL.');
});

test('a stream without end is cut', async () => {
  const error = await ask('ollama:endless', optionsFor(endpoints().url), asking('x')).catch((reason) => reason);
  expect(error.code).toBe('answer-too-large');
  expect(error.more.body.length).toBe(4 * 1024 * 1024);
});

test('the egress policy holds for models', async () => {
  const error = await ask('compatible:x', optionsFor('http://169.254.169.254/v1'), asking('x')).catch((e) => e);
  expect([error.code, error.advice]).toEqual(['refused-by-policy', expect.stringContaining('--allow-link-local')]);
});

test('a call of invalid JSON reaches the loop as it is, except with Google, which reports it', async () => {
  const question = asking('x', { tools: [ADD] });
  for (const [provider, path] of PROVIDERS) {
    const events = ask(`${provider}:bad-call`, optionsFor(endpoints().url + path), question);
    if (provider === 'google') await expect(events).rejects.toMatchObject({ code: 'malformed-call' });
    else {
      const calls = (await events).flatMap((event) => (event.type === 'call' ? event.call.arguments : []));
      expect(calls).toEqual(['{"a": 1,']);
    }
  }
});
