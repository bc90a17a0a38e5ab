import { describe, expect, test } from 'vitest';
import { connected, MODERN, serverProcess, shared, spawned, VERSIONS } from './test-client.mjs';

/** Valid arguments of each tool. Other tests call the tools that end the server or never respond. */
const VALID = {
  write_entry: {
    text: 'Quiet.\nVery quiet.',
    keeper: 'Callum Rae',
    weather: 'haze',
    written_at: '2026-03-10T00:00:00Z',
  },
  erase_entry: { number: 1, oath: 'I know what I am doing' },
  set_lamp: { lit: false, brightness: 62.5, character: 'Oc R 10s' },
  look_out: undefined,
  change_watch: { watch: 'night' },
  plan_passage: {
    vessel: { name: 'Tern', call_sign: 'MGSK4', tender: { name: 'Chick', seats: 4 } },
    waypoints: [{ name: 'A', position: { lat: 58, lon: -6 } }, { position: { lat: 59, lon: -6 } }],
    crew: ['Ada'],
    avoid: ['fog', 'rocks'],
  },
  signal_ship: { signal: { kind: 'flags', hoist: ['A', '7'] }, to: ['Tern', 'Wren'] },
  report_sighting: { seen_at: '2026-03-10T00:00:00Z', species: null, length_m: 12.5, sea_state: 3 },
  take_stock: { stores: { 'lamp oil': 120.5, __proto: 1 }, labels: { 'on-top': 'tea' } },
  muster_crew: { head: { name: 'Agnes', commands: [{ name: 'Callum', commands: [{ name: 'Tomas' }] }] } },
  echo: { anything: [1, null, { deep: true }] },
  count_waves: { waves: 3 },
  send_postcard: {},
  take_picture: { width: 20, height: 20 },
  sound_horn: { seconds: 0.1 },
  read_instruments: {},
  read_old_barometer: {},
  copy_archive: { bytes: 1000 },
  climb_tower: { steps: 2, delay_ms: 0 },
  call_all_levels: {},
  row_in_gale: {},
  mutter: {},
  shout: {},
};

/** Invalid arguments, and part of the error about them. */
const INVALID = [
  ['write_entry', { text: 'no keeper' }, 'is missing keeper'],
  ['write_entry', { text: '', keeper: 'Callum Rae' }, 'at least 1 characters'],
  ['write_entry', { text: 'x', keeper: 'Nobody' }, 'one of'],
  ['write_entry', { text: 'x', keeper: 'Callum Rae', extra: 1 }, 'unknown extra'],
  ['erase_entry', { number: 1, oath: 'maybe' }, 'must be "I know what I am doing"'],
  ['erase_entry', { number: '1', oath: 'I know what I am doing' }, 'must be integer'],
  ['set_lamp', { character: 'Fl R' }, 'exactly one'],
  ['set_lamp', { brightness: 101 }, 'at most 100'],
  ['plan_passage', { vessel: { name: 'x' }, waypoints: [{ position: { lat: 91, lon: 0 } }] }, 'at least 2 items'],
  ['plan_passage', { vessel: { name: 'x', call_sign: 'no' }, waypoints: [] }, 'must match'],
  ['signal_ship', { signal: { kind: 'horn' } }, 'exactly one'],
  ['signal_ship', { signal: { kind: 'horn', blasts: 1 }, to: 5 }, 'must match one of'],
  ['take_stock', { stores: { tea: 'some' } }, 'stores.tea must be number'],
  ['take_stock', { stores: {}, labels: { 'NOT OK': 'x' } }, 'must match'],
  ['muster_crew', { head: { name: 'a', commands: [{ rank: 'assistant' }] } }, 'head.commands[0] is missing name'],
  ['send_postcard', { include: ['text', 'text'] }, 'must not repeat'],
  ['echo', [1], 'must be object'],
];

describe.each(VERSIONS)('tools in %s', (version) => {
  // Some tools write to stdout and stderr.
  const open = shared(version, serverProcess);

  test('every listed tool has a unique name and an object schema, and accepts valid arguments', async () => {
    const client = await connected(version);
    const { tools } = await client.result('tools/list');
    const names = tools.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(tools.every(({ inputSchema }) => inputSchema.type === 'object')).toBe(true);
    expect(names.sort()).toEqual([...Object.keys(VALID), 'drop_lens', 'fall_into_sea', 'wait_for_ship'].sort());
    for (const [name, args] of Object.entries(VALID)) {
      const result = await client.call(name, args);
      expect(result.content.length, name).toBeGreaterThan(0);
      expect(result.isError ?? false, name).toBe(name === 'row_in_gale');
    }
  });

  test('refuses invalid arguments, each with a reason', async () => {
    const client = open();
    for (const [name, args, complaint] of INVALID) {
      const { result, error } = await client.request('tools/call', { name, arguments: args });
      if (version >= '2025-11-25') {
        expect(result.isError, complaint).toBe(true);
        expect(result.content[0].text).toContain(complaint);
      } else {
        expect(error.code, complaint).toBe(-32602);
        expect(error.data.problems.join('\n')).toContain(complaint);
      }
    }
  });

  test('an unknown tool is -32602, an internal error -32603 with data, a failing tool a result', async () => {
    const client = open();
    const unknown = await client.request('tools/call', { name: 'no_such_tool' });
    expect(unknown.error).toEqual({ code: -32602, message: 'Unknown tool: no_such_tool' });
    expect((await client.request('tools/call', { name: 'drop_lens' })).error).toMatchObject({
      code: -32603,
      data: { pieces: 1024 },
    });
    expect((await client.call('row_in_gale')).isError).toBe(true);
  });

  test('echo returns the text of its arguments, not their value', async () => {
    const client = open();
    const args = '{ "b" : 9007199254740993,"a":[1E400, "\\u00e9 }\\""],\t"b":-0, "__proto__": {"x":1.10}}';
    const line = JSON.stringify({
      jsonrpc: '2.0',
      id: 'echo',
      method: 'tools/call',
      params: client.envelope({ name: 'echo' }),
    });
    client.write(`${line.replace('"name":"echo"', `"arguments": ${args} ,"name":"echo"`)}\n`);
    const answer = await client.message(({ id }) => id === 'echo');
    expect(answer.result.content[0].text).toBe(args);
  });

  test('an integer that a double cannot hold stays exact', async () => {
    const client = open();
    const params = JSON.stringify(client.envelope({ name: 'count_waves', arguments: { waves: 0 } }));
    client.write(
      `{"jsonrpc":"2.0","id":"big","method":"tools/call","params":${params.replace('"waves":0', '"waves":18446744073709551615')}}\n`,
    );
    const answer = await client.message(({ id }) => id === 'big');
    expect(answer.result.content[0].text).toBe('18446744073709551615 waves');
    expect(client.lastLine.includes('"structuredContent":{"waves":18446744073709551615}')).toBe(
      version >= '2025-06-18',
    );
    await client.result('tools/list');
    expect(client.lastLine).toContain('"default":9007199254740993');
  });

  test('a postcard has one of every content type that the version knows', async () => {
    const client = open();
    const { content } = await client.call('send_postcard');
    const audio = version >= '2025-03-26' ? 'audio' : 'text';
    const link = version >= '2025-06-18' ? 'resource_link' : 'text';
    expect(content.map(({ type }) => type)).toEqual(['text', 'text', 'image', audio, link, 'resource', 'resource']);
    expect(Buffer.from(content[2].data, 'base64').subarray(1, 4).toString()).toBe('PNG');
    if (audio === 'audio') expect(Buffer.from(content[3].data, 'base64').toString('latin1', 0, 4)).toBe('RIFF');
    expect(content[5].resource.text).toContain('third step');
    expect(Buffer.from(content[6].resource.blob, 'base64')).toHaveLength(6);
    const chosen = await client.call('send_postcard', { include: ['embedded-text', 'text'] });
    expect(chosen.content.map(({ type }) => type)).toEqual(['text', 'resource']);
  });

  test('structured content is sent in versions that have it, together with its text', async () => {
    const client = open();
    const result = await client.call('read_instruments');
    expect(JSON.parse(result.content[0].text).wind).toEqual({ from: 'SW', knots: 22 });
    expect('structuredContent' in result).toBe(version >= '2025-06-18');
  });

  test('a big result arrives whole', async () => {
    const client = open();
    const { content } = await client.call('copy_archive', { bytes: 5 * 1024 * 1024 });
    expect(content[0].text).toHaveLength(5 * 1024 * 1024);
  });
});

test('all annotation hints occur, true and false', async () => {
  const client = await connected(MODERN);
  const { tools } = await client.result('tools/list');
  const seen = new Set(
    tools.flatMap(({ annotations = {} }) => Object.entries(annotations).map(([hint, value]) => `${hint}:${value}`)),
  );
  for (const hint of ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']) {
    expect(seen).toContain(`${hint}:true`);
    expect(seen).toContain(`${hint}:false`);
  }
});

test('mutter writes to stderr, and only there', async () => {
  const client = await spawned(MODERN);
  await client.call('mutter', { lines: 3, words: 'hm' });
  await client.until(() => client.stderr.includes('hm (3)'));
  expect(client.stderr.match(/\[keeper\] hm/g)).toHaveLength(3);
  expect(client.junk).toEqual([]);
});

test('shout prints a line to stdout that is not a message', async () => {
  const client = await spawned('2025-11-25');
  await client.call('shout', { words: 'Ahoy!' });
  expect(client.junk).toEqual(['Ahoy!']);
});

test.each([
  ['exit', [1, null]],
  ['signal', [null, 'SIGKILL']],
  ['exception', [1, null]],
])('fall_into_sea by %s ends the server without an answer', async (how, end) => {
  const client = await spawned('2025-11-25');
  const id = client.send('tools/call', { name: 'fall_into_sea', arguments: { how } });
  expect(await client.exit).toEqual(end);
  await client.until(() => client.stderr.includes(how === 'exception' ? 'Man overboard' : 'mind the ed'));
  expect(client.messages.some((message) => message.id === id)).toBe(false);
});
