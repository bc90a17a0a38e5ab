import { describe, expect, test } from 'vitest';
import { shared, VERSIONS } from './test-client.mjs';

describe.each(VERSIONS)('prompts in %s', (version) => {
  const open = shared(version);

  test('have no, optional or required arguments', async () => {
    const client = open();
    const { prompts } = await client.result('prompts/list');
    const byName = new Map(prompts.map((prompt) => [prompt.name, prompt]));
    expect(byName.get('evening_report')).not.toHaveProperty('arguments');
    expect(byName.get('hail_ship').arguments.map(({ name, required }) => [name, required ?? false])).toEqual([
      ['ship', true],
      ['language', false],
    ]);
    expect('title' in byName.get('hail_ship').arguments[0]).toBe(version >= '2025-06-18');
    expect(JSON.stringify(prompts)).not.toContain('suggest');
  });

  test('use their arguments, and require the required ones', async () => {
    const client = open();
    const said = async (args) =>
      (await client.result('prompts/get', { name: 'hail_ship', arguments: args })).messages[0].content.text;
    expect(await said({ ship: 'Solan Goose' })).toMatch(/Solan Goose.*English/);
    expect(await said({ ship: 'Solan Goose', language: 'Scots' })).toContain('Scots');
    for (const params of [{ name: 'hail_ship' }, { name: 'hail_ship', arguments: { ship: 7 } }, { name: 'no_such' }]) {
      expect((await client.request('prompts/get', params)).error.code).toBe(-32602);
    }
    expect((await client.result('prompts/get', { name: 'evening_report' })).messages).toHaveLength(1);
  });

  test('can be a conversation with a picture and a resource', async () => {
    const client = open();
    const { messages } = await client.result('prompts/get', { name: 'brief_new_keeper', arguments: { keeper: 'Ada' } });
    expect(messages.map(({ role, content }) => `${role} ${content.type}`)).toEqual([
      'user text',
      'user image',
      'assistant text',
      'user resource',
    ]);
    expect(messages[3].content.resource.uri).toBe('light://logbook');
  });

  test('completes arguments and template variables from their first letters', async () => {
    const client = open();
    const values = async (ref, name, value, given) => {
      const context = given ? { context: { arguments: given } } : {};
      const { completion } = await client.result('completion/complete', { ref, argument: { name, value }, ...context });
      expect(completion).toMatchObject({ total: completion.values.length, hasMore: false });
      return completion.values;
    };
    const port = { type: 'ref/prompt', name: 'choose_port' };
    expect(await values({ type: 'ref/prompt', name: 'hail_ship' }, 'ship', 'so')).toEqual(['Solan Goose']);
    expect(await values(port, 'port', '', { sea: 'Minch' })).toEqual(['Stornoway', 'Ullapool']);
    expect(await values(port, 'port', '', { sea: '__proto__' })).toHaveLength(7);
    expect(await values({ type: 'ref/resource', uri: 'light://log/{number}' }, 'number', '')).toHaveLength(6);
    expect(await values({ type: 'ref/resource', uri: 'light://archive/{+path}' }, 'path', '1934/')).toEqual([
      '1934/electric-light.md',
    ]);
    expect(await values({ type: 'ref/resource', uri: 'light://tides{?port,date}' }, 'constructor', '')).toEqual([]);
    const unknown = { ref: { type: 'ref/prompt', name: 'no_such' }, argument: { name: 'x', value: '' } };
    expect((await client.request('completion/complete', unknown)).error.code).toBe(-32602);
  });
});
