import { describe, expect, test } from 'vitest';
import { LIMITS } from '@/lib/wire/limits';
import { answered, asked, type FrameSeed, got, happened, logOf, sent } from '../test-frames';

const tool = (name: unknown, more = {}) => ({ name, inputSchema: { type: 'object' }, ...more });
const ask = (id: number, cursor?: string) => asked(id, 'tools/list', cursor === undefined ? undefined : { cursor });
const page = (id: number, names: unknown[], nextCursor?: unknown) =>
  answered(id, { tools: names.map((name) => tool(name)), nextCursor });
const refused = (id: number, error: unknown) => got({ jsonrpc: '2.0', id, error });
const tools = (...seeds: FrameSeed[]) => logOf(...seeds).state.tools;
const names = (...seeds: FrameSeed[]) => tools(...seeds).items.map(({ name }) => name);

describe('reading', () => {
  test('goes from none to listing to listed', () => {
    expect(tools()).toEqual({ status: 'none', items: [], seqs: [], supported: undefined });
    expect(tools(ask(1)).status).toBe('listing');
    expect(tools(ask(1), page(1, ['a']))).toMatchObject({
      status: 'listed',
      seqs: [2],
      items: [{ name: 'a', seq: 2 }],
    });
  });

  test('grows page by page the first time', () => {
    const seeds = [ask(1), page(1, ['a'], 'x'), ask(2, 'x'), page(2, ['b'])];
    expect(names(...seeds.slice(0, 3))).toEqual(['a']);
    expect(tools(...seeds.slice(0, 3)).status).toBe('listing');
    expect(names(...seeds)).toEqual(['a', 'b']);
    expect(tools(...seeds)).toMatchObject({ status: 'listed', seqs: [2, 4] });
  });

  test('takes "" as a cursor, but not null', () => {
    expect(names(ask(1), page(1, ['a'], ''), ask(2, ''), page(2, ['b'], null))).toEqual(['a', 'b']);
    expect(tools(ask(1), page(1, ['a'], null)).status).toBe('listed');
  });

  test('replaces the items once a later reading is complete', () => {
    const first = [ask(1), page(1, ['a', 'b'])];
    expect(names(...first, ask(2))).toEqual(['a', 'b']);
    expect(names(...first, ask(2), page(2, ['c'], 'x'), ask(3, 'x'))).toEqual(['a', 'b']);
    expect(names(...first, ask(2), page(2, ['c'], 'x'), ask(3, 'x'), page(3, ['d']))).toEqual(['c', 'd']);
  });

  test('is not started by a page that was requested by hand', () => {
    expect(tools(ask(1), page(1, ['a']), ask(2), page(2, ['a'], 'x')).status).toBe('listed');
  });

  test('keeps the newer of two overlapping readings', () => {
    const seeds = [ask(1), page(1, ['a1'], 'p'), ask(2), page(2, ['b1'], 'q'), ask(3, 'p'), ask(4, 'q')];
    expect(names(...seeds, page(3, ['a2']), page(4, ['b2']))).toEqual(['b1', 'b2']);
  });

  test('stops after `LIMITS.listPages` pages of an endless list', () => {
    const seeds = [ask(1), page(1, ['a', 'b']), ask(2), page(2, [0], 'more')];
    for (let id = 3; id < LIMITS.listPages + 2; id++) seeds.push(ask(id, 'more'), page(id, ['t'], 'more'));
    expect(tools(...seeds).items).toHaveLength(LIMITS.listPages);
  });

  test('reads pages in a batch', () => {
    expect(names(ask(1), got([{ jsonrpc: '2.0', id: 1, result: { tools: [tool('a')] } }]))).toEqual(['a']);
  });

  test('takes each kind of list from its own member', () => {
    const { resources, templates, prompts } = logOf(
      asked(1, 'resources/list'),
      answered(1, { resources: [{ uri: 'a://b', name: 'B' }] }),
      asked(2, 'resources/templates/list'),
      answered(2, { resourceTemplates: [{ uriTemplate: 'a://{b}', name: 'T' }] }),
      asked(3, 'prompts/list'),
      answered(3, { prompts: [{ name: 'greet' }] }),
    ).state;
    expect(resources.items).toMatchObject([{ key: 'a://b', uri: 'a://b', name: 'B', problem: undefined }]);
    expect(templates.items).toMatchObject([{ key: 'a://{b}', uriTemplate: 'a://{b}', name: 'T', problem: undefined }]);
    expect(prompts.items).toMatchObject([{ key: 'greet', name: 'greet', problem: undefined }]);
  });
});

describe('failing', () => {
  test('keeps the items and the error', () => {
    const error = { code: -32000, message: 'no', data: { a: 1 } };
    expect(tools(ask(1), page(1, ['a']), ask(2), refused(2, error))).toMatchObject({
      status: 'failed',
      error,
      items: [{ name: 'a' }],
    });
    expect(names(ask(1), page(1, ['a'], 'x'), ask(2, 'x'), refused(2, error))).toEqual(['a']);
  });

  test('ends with the next valid page', () => {
    expect(tools(ask(1), refused(1, {}), ask(2), page(2, ['a']))).toMatchObject({ status: 'listed', error: undefined });
  });

  test.each([[null], [7], ['text'], [{}], [{ code: 'x', message: [] }]])('reads %j as an error', (error) => {
    const listing = tools(ask(1), refused(1, error));
    expect(listing).toMatchObject({ status: 'failed', error: { code: 0, message: expect.any(String) } });
  });

  test.each([[null], [[]], [{}], [{ tools: {} }], [{ tools: 'a' }]])('rejects the result %j', (result) => {
    expect(tools(ask(1), answered(1, result))).toMatchObject({ status: 'failed', items: [], error: { code: 0 } });
  });

  test('follows a page that was cancelled, timed out or lost', () => {
    const cancel = sent({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    const timeout = happened({ event: 'timeout', id: 1, method: 'tools/list', afterMs: 1 });
    const exit = happened({ event: 'exit', code: 0, signal: null });
    expect([cancel, timeout, exit].map((end) => tools(ask(1), end).status)).toEqual(['failed', 'failed', 'failed']);
  });
});

describe('items', () => {
  const listed = (...items: unknown[]) => tools(ask(1), answered(1, { tools: items })).items;

  test('are kept with their problem if they are malformed', () => {
    const items = listed(null, tool('good'), { inputSchema: {} }, tool(''), tool(5), { name: 'bare' }, [], 'x');
    expect(items.map(({ name }) => name)).toEqual(['', 'good', '', '', '', 'bare', '', '']);
    expect(items.map(({ problem }) => problem)).toEqual([
      'Not a JSON object.',
      undefined,
      'name is missing.',
      'name is empty.',
      'name is not a string.',
      'inputSchema is not an object.',
      'Not a JSON object.',
      'Not a JSON object.',
    ]);
    expect(new Set(items.map(({ key }) => key)).size).toBe(items.length);
  });

  test.each([
    [{ properties: {} }, 'inputSchema has no type. Clients expect "object".'],
    [{ type: 'array' }, 'inputSchema.type is not "object".'],
    [{ type: 'object', properties: null }, 'inputSchema.properties is not an object.'],
    [{ type: 'object' }, undefined],
  ])('with the schema %j have a problem or none', (inputSchema, problem) => {
    expect(listed({ name: 'a', inputSchema })[0]?.problem).toBe(problem);
  });

  test('with equal names have different keys, even next to names that look like keys', () => {
    const items = listed(tool('a'), tool('a'), tool('a#2'), tool('a'), tool('__proto__'), tool('__proto__'));
    expect(items.map(({ key }) => key)).toEqual(['a', 'a#2', 'a#2#2', 'a#3', '__proto__', '__proto__#2']);
    expect(items[1]?.problem).toBe('Another entry has the same name.');
    expect(items[2]?.problem).toBeUndefined();
  });

  test('have keys that are unique across pages', () => {
    const two = tools(ask(1), page(1, ['a'], 'x'), ask(2, 'x'), page(2, ['a']));
    expect(two.items.map(({ key }) => key)).toEqual(['a', 'a#2']);
  });

  test('get keys quickly even if 50,000 have the same name', () => {
    const items = listed(...Array.from({ length: 50_000 }, () => tool('same')));
    expect(items.at(-1)?.key).toBe('same#50000');
  });
});
