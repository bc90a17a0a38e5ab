import { describe, expect, test } from 'vitest';
import type { ModelEvent } from '@/features/chat/lib/model';
import { loadModel } from './load-model';
import { ADD, ask, asking, CANARY, optionsFor, PROVIDERS, startEndpoints, textOf } from './test-models';

const endpoints = startEndpoints();
const last = (events: readonly ModelEvent[]) => events.at(-1) as Extract<ModelEvent, { type: 'end' }>;

describe.each(PROVIDERS)('%s', (provider, path) => {
  const options = () => optionsFor(endpoints().url + path);
  const run = (model: string, request = asking('Hello there')) => ask(`${provider}:${model}`, options(), request);

  test('streams a text, and ends with the reason and the tokens', async () => {
    const events = await run('echo');
    expect(textOf(events)).toBe('Hello there');
    expect(last(events)).toMatchObject({
      type: 'end',
      reason: 'stop',
      status: 200,
      usage: { inputTokens: 21, outputTokens: 7, cachedTokens: 5 },
    });
    expect(events.filter(({ type }) => type === 'text').length).toBeGreaterThan(1);
  });

  test('shows the exact body before it goes out, and the exact answer, without the key', async () => {
    const { requests } = endpoints();
    const before = requests.length;
    const model = await loadModel(`${provider}:echo`, options());
    const answer = model.ask(asking('Hello there', { system: 'Be brief.' }), new AbortController().signal);
    const { value: request } = await answer[Symbol.asyncIterator]().next();
    expect(requests).toHaveLength(before);
    const events = [request];
    for await (const event of answer) events.push(event);
    const got = requests.at(-1)!;
    expect(request).toEqual({ type: 'request', url: endpoints().url + got.path, body: got.body, losses: [] });
    expect(got.body).toContain('Be brief.');
    expect(JSON.stringify(got.headers)).toContain(CANARY);
    expect(last(events).body).toMatch(/^(event|data): /);
    expect(got.path + got.body + JSON.stringify(events)).not.toContain(CANARY);
  });

  test('makes several calls side by side, and repeats them with their results', async () => {
    const question = asking('call math__add {"a":1,"b":2} call math__add {"a":3,"b":4}', { tools: [ADD] });
    const events = await run('caller', question);
    const calls = events.flatMap((event) => (event.type === 'call' ? event.call : []));
    expect(calls.map((call) => [call.name, JSON.parse(call.arguments)])).toEqual([
      ['math__add', { a: 1, b: 2 }],
      ['math__add', { a: 3, b: 4 }],
    ]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    expect(last(events).reason).toBe('calls');
    const results = calls.map(({ id, name }, index) => ({
      type: 'result' as const,
      id,
      name,
      isError: index === 1,
      parts: [{ type: 'text' as const, text: `sum ${index}` }],
    }));
    const next = await run('caller', {
      ...question,
      messages: [
        ...question.messages,
        { role: 'assistant', parts: [{ type: 'text', text: 'I call. ' }, ...calls.map(asCall)] },
        { role: 'tool', parts: results },
      ],
    });
    expect(textOf(next)).toBe('Results: sum 0 | sum 1');
    expect(last(next).reason).toBe('stop');
  });

  test('gives the model back what it signed', async () => {
    const events = await run('thinker');
    expect(textOf(events, 'reasoning')).toBe('I think, therefore.');
    const signature = events.flatMap((event) => (event.type === 'reasoning' ? (event.signature ?? []) : [])).at(-1);
    await ask(`${provider}:echo`, options(), {
      ...asking(''),
      messages: [
        { role: 'user', parts: [{ type: 'text', text: 'Why?' }] },
        {
          role: 'assistant',
          parts: [
            { type: 'reasoning', text: 'I think, therefore.', signature },
            { type: 'text', text: 'I am.' },
          ],
        },
        { role: 'user', parts: [{ type: 'text', text: 'Again.' }] },
      ],
    });
    const signed = {
      openai: 'sealed-thoughts',
      anthropic: 'signed-thoughts',
      google: 'c2lnbmVk',
      ollama: 'therefore.',
    };
    expect(endpoints().requests.at(-1)!.body).toContain(signed[provider]);
  });

  test('says that the model refused, or stopped at the limit', async () => {
    const refused = await run('refuser');
    expect([textOf(refused), last(refused).reason]).toEqual(['I won’t do that.', 'refusal']);
    expect(last(await run('long')).reason).toBe('length');
  });

  test('survives invalid UTF-8 and a huge piece', async () => {
    expect(textOf(await run('not-utf8'))).toBe('ab');
    const events = await run('huge');
    expect(textOf(events)).toHaveLength(10 * 1024 * 1024);
    expect(last(events).body.length).toBe(4 * 1024 * 1024);
    expect(last(events).bytes).toBeGreaterThan(10 * 1024 * 1024);
  });

  test('masks a key that the endpoint repeats, even in pieces', async () => {
    const events = await run('leak');
    expect(textOf(events)).toBe('Your key is •••, isn’t it?');
    const failure = await run('leak-error').catch((error) => error);
    expect(failure.message).toMatch(/refused the key: Incorrect API key provided: •••/);
    expect(JSON.stringify([events, failure, failure.message, failure.more])).not.toContain(CANARY);
  });

  test('sends nothing if nobody reads on after the request was shown', async () => {
    const { requests } = endpoints();
    const before = requests.length;
    const model = await loadModel(`${provider}:echo`, options());
    for await (const event of model.ask(asking('x'), new AbortController().signal)) {
      expect(event.type).toBe('request');
      break;
    }
    const stop = new AbortController();
    const read = async () => {
      for await (const _ of model.ask(asking('x'), stop.signal)) stop.abort('enough');
    };
    await expect(read()).rejects.toBe('enough');
    await run('echo');
    expect(requests).toHaveLength(before + 1);
  });

  test('keeps the order of texts and calls, also if a text ends like the beginning of the key', async () => {
    const order = (await run('like-a-key', asking('x', { tools: [ADD] }))).flatMap((event) =>
      event.type === 'text' || event.type === 'reasoning' ? event.text : event.type === 'call' ? ['(call)'] : [],
    );
    expect(order.join('')).toBe('thoughts-skwordssk(call)');
  });

  test('ends at once when it is called off', async () => {
    const stop = new AbortController();
    const model = await loadModel(`${provider}:hangs`, options());
    const read = async () => {
      for await (const event of model.ask(asking('x'), stop.signal)) if (event.type === 'text') stop.abort('enough');
    };
    await expect(read()).rejects.toBe('enough');
  });
});

function asCall(call: Omit<Extract<ModelEvent, { type: 'call' }>['call'], never>) {
  return { type: 'call' as const, ...call };
}
