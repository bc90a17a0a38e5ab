import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prettyJson } from '@/lib/json/exact';
import { Overlay } from './overlay';

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (value: Uint8Array | undefined) => value && new TextDecoder().decode(value);
const ANY = () => true;
const overlay = (tools: object) => new Overlay(JSON.stringify({ tools }));
const list = (tools: object, message: string) => text(overlay(tools).toClient(bytes(message), ANY)?.bytes);
const call = (tools: object, name: string) =>
  sent(
    tools,
    `{"id":1.0,"method":"tools/call","params":{"arguments":{"n":12345678901234567890},"name":${JSON.stringify(name)}}}`,
  );
/** Returns what the server and the host get of a host's message, or undefined if it stays as it is. */
function sent(tools: object, message: string) {
  const frame = overlay(tools).toServer(bytes(message));
  return frame && { toServer: text(frame.bytes), answers: text(frame.answers) };
}

describe('a list of tools', () => {
  it('changes the members that the overlay names, and nothing else to the byte', () => {
    const message = `{"jsonrpc": "2.0", "result":{"nextCursor":"2","tools":[ {"x":1e400,"name":"a","description":"old","inputSchema":{"properties":{"q":{"maximum":12345678901234567890,"description":"A"}},"z":1}} , {"name":"b"}],"ttlMs":60000},"id":7}`;
    expect(
      list(
        {
          a: {
            name: 'search',
            description: 'new — “text”',
            inputSchema: { properties: { q: { description: 'B' } } },
            annotations: { readOnlyHint: true },
          },
        },
        message,
      ),
    ).toBe(
      `{"jsonrpc": "2.0", "result":{"nextCursor":"2","tools":[ {"x":1e400,"name":"search","description":"new — “text”","inputSchema":{"properties":{"q":{"maximum":12345678901234567890,"description":"B"}},"z":1},"annotations":{"readOnlyHint":true}} , {"name":"b"}],"ttlMs":60000},"id":7}`,
    );
  });

  it('removes what is null', () => {
    expect(list({ a: { title: null, description: null } }, '{"result":{"tools":[{"title":"A","name":"a"}]}}')).toBe(
      '{"result":{"tools":[{"name":"a"}]}}',
    );
  });

  it.each([
    [['a'], '[ {"name":"b"} , {"name":"c"} ]'],
    [['b'], '[ {"name":"a"} , {"name":"c"} ]'],
    [['c'], '[ {"name":"a"} , {"name":"b"} ]'],
    [['a', 'b'], '[ {"name":"c"} ]'],
    [['a', 'c'], '[ {"name":"b"} ]'],
    [['b', 'c'], '[ {"name":"a"} ]'],
    [['a', 'b', 'c'], '[  ]'],
  ])('leaves out the hidden tools %j', (hidden, left) => {
    const tools = Object.fromEntries(hidden.map((name) => [name, { hidden: true }]));
    const message = '{"result":{"tools":[ {"name":"a"} , {"name":"b"} , {"name":"c"} ]}}';
    expect(list(tools, message)).toBe(`{"result":{"tools":${left}}}`);
  });

  it('changes only the responses that are lists, in a batch too', () => {
    const batch = '[{"id":1,"result":{"tools":[{"name":"a"}]}}, {"id":"1","result":{"tools":[{"name":"a"}]}},7]';
    const frame = overlay({ a: { hidden: true } }).toClient(bytes(batch), (id) => id === '1');
    expect(text(frame?.bytes)).toBe('[{"id":1,"result":{"tools":[{"name":"a"}]}}, {"id":"1","result":{"tools":[]}},7]');
  });

  it.each([
    ['no tool that it names', '{"result":{"tools":[{"name":"z"}]}}'],
    ['an error', '{"error":{"code":-32603,"message":"a"}}'],
    ['tools that are not a list', '{"result":{"tools":{"name":"a"}}}'],
    ['tools that are not objects', '{"result":{"tools":[null,1,"a",["a"],{"name":7},{}]}}'],
    ['half a message', '{"result":{"tools":[{"name":"a"}'],
    ['text', 'Listening'],
    ['nothing', ''],
    ['levels of nesting that would exhaust the stack', '['.repeat(100_000)],
  ])('leaves a message alone that has %s', (_, message) => {
    expect(overlay({ a: { hidden: true } }).toClient(bytes(message), ANY)).toBeUndefined();
  });

  it('reads names as parsers do: escapes, repeated members, a byte order mark, names of built-in properties', () => {
    expect(list({ 'é"': { title: 'T' } }, '{"result":{"tools":[{"name":"\\u00e9\\""}]}}')).toBe(
      '{"result":{"tools":[{"name":"\\u00e9\\"","title":"T"}]}}',
    );
    expect(
      list({ b: { hidden: true } }, '{"result":{},"result":{"tools":[1],"\\u0074ools":[{"name":"a","name":"b"}]}}'),
    ).toBe('{"result":{},"result":{"tools":[1],"\\u0074ools":[]}}');
    const withMark = overlay({ a: { hidden: true } }).toClient(bytes('\ufeff{"result":{"tools":[{"name":"a"}]}}'), ANY);
    expect(withMark?.bytes).toEqual(bytes('\ufeff{"result":{"tools":[]}}'));
    const named = new Overlay('{"tools":{"__proto__":{"hidden":true}}}');
    expect(
      text(named.toClient(bytes('{"result":{"tools":[{"name":"__proto__"},{"name":"constructor"}]}}'), ANY)?.bytes),
    ).toBe('{"result":{"tools":[{"name":"constructor"}]}}');
  });

  it('keeps invalid UTF-8 outside changed tools', () => {
    const broken = [0x22, 0xff, 0xc3, 0x22];
    const message = Uint8Array.of(...bytes('{"x":'), ...broken, ...bytes(',"result":{"tools":[{"name":"a"}]}}'));
    expect(overlay({ a: { hidden: true } }).toClient(message, ANY)?.bytes).toEqual(
      Uint8Array.of(...bytes('{"x":'), ...broken, ...bytes(',"result":{"tools":[]}}')),
    );
  });

  it('does what a host would do to the parsed list, for any list', () => {
    const tools = fc.array(
      fc.record(
        {
          name: fc.constantFrom('a', 'b', 'c', 'd', ''),
          title: fc.jsonValue(),
          inputSchema: fc.jsonValue(),
          x: fc.jsonValue(),
        },
        { requiredKeys: [] },
      ),
    );
    const changes = { a: { title: 'A' }, b: { hidden: true }, c: { name: 'd' } };
    const seen = (tool: { readonly name?: string }) =>
      tool.name === 'a' ? { ...tool, title: 'A' } : tool.name === 'c' ? { ...tool, name: 'd' } : tool;
    fc.assert(
      fc.property(tools, fc.boolean(), (listed, isPretty) => {
        const message = JSON.stringify({ result: { tools: listed } });
        const got = list(changes, isPretty ? prettyJson(message) : message) ?? message;
        const wanted = listed.filter(({ name }) => name !== 'b' && name !== 'd').map(seen);
        expect(JSON.parse(got)).toEqual(JSON.parse(JSON.stringify({ result: { tools: wanted } })));
      }),
    );
  });

  it('handles 5,000 tools at once', () => {
    const tools = Array.from({ length: 5000 }, (_, index) => ({ name: `t${index}`, description: 'd'.repeat(200) }));
    const changes = Object.fromEntries(
      tools.map(({ name }, index) => [name, index % 2 ? { hidden: true } : { title: name }]),
    );
    const changed = JSON.parse(list(changes, JSON.stringify({ result: { tools } }))!).result.tools;
    expect(changed).toHaveLength(2500);
    expect(changed[7]).toEqual({ ...tools[14], title: 't14' });
  });
});

describe('names', () => {
  it('maps the new name of a tool back in a call', () => {
    expect(call({ a: { name: 'b' } }, 'b')).toEqual({
      toServer: '{"id":1.0,"method":"tools/call","params":{"arguments":{"n":12345678901234567890},"name":"a"}}',
    });
  });

  it('leaves calls of other tools alone, also those with only another description', () => {
    expect(call({ a: { name: 'b' } }, 'z')).toBeUndefined();
    expect(call({ a: { description: 'b' } }, 'a')).toBeUndefined();
  });

  it('still knows the old name of a renamed tool, unless another has it', () => {
    expect(call({ a: { name: 'b' } }, 'a')).toBeUndefined();
    expect(call({ a: { name: 'b' }, c: { name: 'a' } }, 'a')?.toServer).toContain('"name":"c"');
  });

  it('answers calls of hidden tools with the id as it was written', () => {
    const unknown = (name: string) => ({
      answers: `{"jsonrpc":"2.0","id":1.0,"error":{"code":-32602,"message":${JSON.stringify(`Unknown tool: ${name}`)}}}`,
    });
    expect(call({ 'a"': { hidden: true } }, 'a"')).toEqual(unknown('a"'));
    expect(call({ a: { name: 'b', hidden: true } }, 'b')).toBeUndefined();
  });

  it('leaves calls of hidden tools out of a batch', () => {
    const one = (id: number, name: string) => `{"id":${id},"method":"tools/call","params":{"name":"${name}"}}`;
    const tools = { a: { hidden: true }, b: { name: 'c' } };
    expect(sent(tools, `[${one(1, 'a')}, ${one(2, 'c')},${one(3, 'a')}]`)).toEqual({
      toServer: `[${one(2, 'b')}]`,
      answers: expect.stringMatching(/^\[\{.*"id":1,.*\},\{.*"id":3,.*\}\]$/),
    });
    expect(sent(tools, `[${one(1, 'a')}]`)).toEqual({ answers: expect.stringMatching(/^\[.*\]$/) });
  });

  it('can swap two names', () => {
    const tools = { a: { name: 'b' }, b: { name: 'a' } };
    expect(list(tools, '{"result":{"tools":[{"name":"a","x":1},{"name":"b","x":2}]}}')).toBe(
      '{"result":{"tools":[{"name":"b","x":1},{"name":"a","x":2}]}}',
    );
    expect(call(tools, 'a')?.toServer).toContain('"name":"b"');
  });

  it('gives a new name to its tool alone, on whatever page the server lists its own tool of that name', () => {
    const tools = { a: { name: 'b' } };
    expect(list(tools, '{"result":{"tools":[{"name":"b","own":true}]}}')).toBe('{"result":{"tools":[]}}');
    expect(list(tools, '{"result":{"tools":[{"name":"a"}]}}')).toBe('{"result":{"tools":[{"name":"b"}]}}');
    expect(call(tools, 'b')?.toServer).toContain('"name":"a"');
  });

  it.each([
    '{"id":1,"method":"tools/call","params":{"name":7}}',
    '{"id":1,"method":"tools/call","params":["a"]}',
    '{"id":1,"method":"prompts/get","params":{"name":"a"}}',
    '{"method":"tools/call","params":{"name":"a"}}',
    '{"id":1,"method":"tools/call","params":{"name":"a"',
    '[]',
  ])('leaves %s to the server', (message) => {
    expect(sent({ a: { hidden: true } }, message)).toBeUndefined();
  });
});
