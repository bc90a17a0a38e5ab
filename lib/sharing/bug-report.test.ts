import { describe, expect, test } from 'vitest';
import type { Channel, Direction } from '@/lib/wire/frame';
import { bugReport, codeBlock, untrustedCodeSpan } from './bug-report';
import type { SharedFrame } from './shared-recording';

function frames(...all: readonly (readonly [Channel, Direction, unknown])[]): AsyncIterable<SharedFrame> {
  const list = all.map(([channel, direction, content], index) => ({
    seq: index + 1,
    originalSeq: index + 101,
    time: index * 1000,
    channel,
    direction,
    flags: 0,
    bytes: new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content)),
  }));
  return (async function* () {
    yield* list;
  })();
}

const START = {
  event: 'start',
  at: '2026-01-01T00:00:00.000Z',
  name: 'demo',
  transport: 'stdio',
  command: 'node',
  args: ['s.js'],
  cwd: '/x',
  environment: { policy: 'allowlist', inherited: [], added: ['API_KEY'] },
  protocol: 'auto',
};

const FACTS = { version: '1.2.3', at: '2026-01-01T00:00:00.000Z', file: 'a.mcpr.gz' };

function session(toolText: string, name = 'add'): AsyncIterable<SharedFrame> {
  return frames(
    ['lifecycle', 'to-client', START],
    ['protocol', 'to-server', { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }],
    ['protocol', 'to-client', { jsonrpc: '2.0', id: 1, result: { serverInfo: { name: 'srv', version: '2' } } }],
    ['lifecycle', 'to-client', { event: 'open', era: 'legacy', version: '2025-11-25' }],
    ['protocol', 'to-server', { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name, arguments: { a: 1 } } }],
    ['stderr', 'to-client', `about to fail ${toolText}`],
    ['protocol', 'to-client', { jsonrpc: '2.0', id: 2, error: { code: -32603, message: toolText } }],
    ['protocol', 'to-server', { jsonrpc: '2.0', id: 3, method: 'ping' }],
    ['protocol', 'to-client', { jsonrpc: '2.0', id: 3, result: {} }],
  );
}

test('reports client, server, failure, steps, stderr, and how to open the recording', async () => {
  const report = await bugReport(session('boom'), FACTS);
  expect(report).toContain('# `srv`: `tools/call add`');
  expect(report).toContain('- mcp-inspect 1.2.3, recorded 2026-01-01T00:00:00.000Z');
  expect(report).toContain('- Protocol: `2025-11-25, legacy, stdio`');
  expect(report).toContain('- Server: `srv 2`');
  expect(report).toMatch(/## What went wrong\n\n#5, request to the server, at 0\.004 s: error\n\n```json\n\{/);
  expect(report).toContain('"message": "boom"');
  expect(report).toContain('1. `tools/call add` (#5): error');
  expect(report).toContain(
    `\`npx mcp-inspect call add --args '{"a":1}' --capabilities all --env minimal --cwd /x --env API_KEY="$API_KEY" -- node s.js\``,
  );
  expect(report).toContain('## Last lines of stderr\n\n```text\nabout to fail boom\n```');
  expect(report).toContain('`npx mcp-inspect open a.mcpr.gz` opens it. `#` with a number refers to a frame in it.\n');
  const from = { file: 'my whole.mcpr.jsonl', options: ['--frames', '2-9', '--without', 'stderr'] };
  expect(await bugReport(session('boom'), { ...FACTS, from })).toContain(
    "`npx mcp-inspect share 'my whole.mcpr.jsonl' --frames 2-9 --without stderr --out a.mcpr.gz`.\n",
  );
  const hidden = { ...from, masks: 2 };
  expect(await bugReport(session('boom'), { ...FACTS, from: hidden })).toContain(
    'a.mcpr.gz`, with the 2 options `--mask` of this report, which it does not repeat.\n',
  );
});

test('names the frame that looks like an unmatched answer', async () => {
  const report = await bugReport(
    frames(
      ['lifecycle', 'to-client', START],
      ['lifecycle', 'to-client', { event: 'open', era: 'legacy', version: '2025-11-25' }],
      ['protocol', 'to-server', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'avg' } }],
      ['protocol', 'to-client', '{"jsonrpc":"2.0","id":1,"result":{"n":NaN}}'],
      ['lifecycle', 'to-client', { event: 'closed' }],
    ),
    FACTS,
  );
  expect(report).toContain('No response has this request’s id. #4 looks like its response.');
  expect(report).not.toContain('No response came');
});

test('reports the call that was open when the server crashed, and why it crashed', async () => {
  const report = await bugReport(
    frames(
      ['lifecycle', 'to-client', START],
      ['lifecycle', 'to-client', { event: 'spawned', pid: 7 }],
      ['lifecycle', 'to-client', { event: 'open', era: 'legacy', version: '2025-11-25' }],
      ['protocol', 'to-server', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'sum' } }],
      ['protocol', 'to-client', { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'no' } }],
      ['protocol', 'to-server', { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'import' } }],
      ['stderr', 'to-client', 'TypeError: no rows'],
      ['stderr', 'to-client', '    at import (server.js:4)'],
      ['lifecycle', 'to-client', { event: 'exit', code: 1, signal: null }],
      [
        'lifecycle',
        'to-client',
        {
          event: 'failed',
          code: 'server-exited',
          message: 'The server exited with code 1.',
          advice: 'Read its stderr.',
        },
      ],
    ),
    FACTS,
  );
  expect(report).toContain('# `demo`: `tools/call import`, then the server exited with code 1\n');
  expect(report).toContain('- The server exited with code 1. On stderr: `TypeError: no rows`.\n');
  expect(report).toMatch(/## What went wrong\n\n#6, request to the server, at 0\.005 s: no response\n/);
  expect(report).toContain(
    'There was no response: the server exited with code 1 first. On stderr: `TypeError: no rows`.\n',
  );
  expect(report).not.toContain('Read its stderr');
});

test('reports the chosen frame', async () => {
  const report = await bugReport(session('boom'), { ...FACTS, about: 109 });
  expect(report).toMatch(/## What happened\n\n#8, request/);
});

test('keeps untrusted text inside code', async () => {
  const attack = '```\n# owned\n````\n<img src=x onerror=alert(1)> [x](javascript:alert(1)) @everyone \u202e`` ` <!-- ';
  const report = await bugReport(session(attack, attack), FACTS);
  // Nothing is left after removing its code spans and blocks.
  const prose = report.replace(/^(`{3,})\w*\n[\s\S]*?\n\1$/gm, '').replace(/(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, '');
  for (const part of ['owned', '<img', 'javascript', '@everyone', '<!--', '\u202e']) expect(prose).not.toContain(part);
  expect(report).not.toContain('\u202e');
});

test('uses longer fences than the text has', () => {
  expect(untrustedCodeSpan('a `b` ``c``', 100)).toBe('``` a `b` ``c`` ```');
  expect(untrustedCodeSpan(' \n ', 100)).toBe('` `');
  expect(untrustedCodeSpan('abcdef', 3)).toBe('`abc… (3 characters more)`');
  expect(codeBlock('x\n````\ny\n', 'text', 100)).toBe('`````text\nx\n````\ny\n`````');
});

test('says where rules were stopped, and lists the problems found until then', async () => {
  let portions = 0;
  const within = (rules: () => void) => {
    rules();
    return ++portions === 0;
  };
  const text = await bugReport(session('no'), { ...FACTS, within });
  expect(text).toMatch(
    /- Frames from #\d+ on were not checked\. Checking took too long, probably because of a pattern/,
  );
});

test('skips schema checks that hung earlier', async () => {
  const pattern = { type: 'object', properties: { s: { type: 'string', pattern: '^(a+)+$' } } };
  const slow = () =>
    frames(
      ['lifecycle', 'to-client', START],
      ['lifecycle', 'to-client', { event: 'open', era: 'legacy', version: '2025-11-25' }],
      ['protocol', 'to-server', { jsonrpc: '2.0', id: 1, method: 'tools/list' }],
      ['protocol', 'to-client', { jsonrpc: '2.0', id: 1, result: { tools: [{ name: 't', outputSchema: pattern }] } }],
      ['protocol', 'to-server', { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 't' } }],
      [
        'protocol',
        'to-client',
        { jsonrpc: '2.0', id: 2, result: { content: [], structuredContent: { s: `${'a'.repeat(60)}!` } } },
      ],
    );
  const unchecked = [{ seqs: [106] }, { seqs: [], from: 104 }];
  for (const left of unchecked) {
    expect(await bugReport(slow(), { ...FACTS, unchecked: left, about: 106 })).toContain(
      'outputSchema too slow to check',
    );
  }
});

test('lists steps up to the failure, without automatic requests, and marks removed values', async () => {
  const call = (id: number, name: string, args: object) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: args },
  });
  const report = await bugReport(
    frames(
      ['lifecycle', 'to-client', START],
      ['protocol', 'to-server', { jsonrpc: '2.0', id: 1, method: 'server/discover' }],
      ['protocol', 'to-client', { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'unknown' } }],
      ['lifecycle', 'to-client', { event: 'probe', era: 'legacy', reason: 'refused', respawn: false }],
      ['protocol', 'to-server', call(2, 'login', { password: '[redacted:password:0123abcd]' })],
      ['protocol', 'to-client', { jsonrpc: '2.0', id: 2, result: { content: [] } }],
      ['protocol', 'to-server', call(3, 'fail', {})],
      ['protocol', 'to-client', { jsonrpc: '2.0', id: 3, error: { code: -32603, message: 'boom' } }],
      ['protocol', 'to-server', call(4, 'later', {})],
      ['protocol', 'to-client', { jsonrpc: '2.0', id: 4, result: { content: [] } }],
      ['lifecycle', 'to-client', { event: 'note', on: 8, text: 'Here the shop is `closed`.', bookmark: true }],
    ),
    FACTS,
  );
  const steps = /## Steps\n\n([\s\S]*?)\n\n## /.exec(report)![1]!;
  expect(steps.match(/^\d+\. .*$/gm)).toEqual(['1. `tools/call login` (#5): ok', '2. `tools/call fail` (#7): error']);
  expect(steps).toContain('Replace `[redacted:password:0123abcd]` with the value that was removed here.');
  expect(report).toContain('## Notes\n\n- #8: ``Here the shop is `closed`.``\n');
});

describe('the reported frames', () => {
  const call = (id: number, name: string) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });
  const result = (id: number, text: string) => ({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } });
  const note = (on: number, text: string) => ({ event: 'note', on, text, bookmark: true });
  const of = (facts: object, ...more: readonly object[]) =>
    bugReport(
      frames(
        ['lifecycle', 'to-client', START],
        ['protocol', 'to-server', { jsonrpc: '2.0', id: 9, method: 'ping' }],
        ['protocol', 'to-client', { jsonrpc: '2.0', id: 9, result: {} }],
        ['protocol', 'to-client', 'null'],
        ['protocol', 'to-server', call(1, 'sum')],
        ['protocol', 'to-client', result(1, 'wrong: 5')],
        ['protocol', 'to-server', call(2, 'other')],
        ['protocol', 'to-client', result(2, 'fine: 7')],
        ...more.map((content) => {
          const direction = 'method' in content ? 'to-server' : 'to-client';
          return ['event' in content ? 'lifecycle' : 'protocol', direction, content] as const;
        }),
      ),
      { ...FACTS, ...facts },
    );
  const crash = { jsonrpc: '2.0', id: 3, error: { code: -32603, message: 'boom' } };
  const failing = [call(3, 'crash'), crash];

  test('are those with a note or bookmark, before failures', async () => {
    for (const text of ['BUG: should be 4', '']) {
      const report = await of({}, note(6, text));
      expect(report).toContain('# `demo`: `tools/call sum`');
      expect(report).toMatch(/## What happened\n\n#5, request[\s\S]*#6, response[\s\S]*wrong: 5/);
      expect(report).not.toContain('fine: 7');
    }
    expect(await of({}, ...failing, note(6, 'BUG'))).toContain('# `demo`: `tools/call sum`');
  });

  test('are never a stray line', async () => {
    const report = await of({});
    expect(report).toContain('# Recording of `demo`');
    expect(report).toContain('`tools/call other` (#7): ok');
  });

  test('are all exchanges of a range, except automatic ones', async () => {
    const report = await of({ range: { from: 103, to: 107 } }, ...failing);
    expect(report).toContain('# `demo`: `tools/call other`');
    expect(report).toMatch(/#5, request[\s\S]*wrong: 5[\s\S]*#7, request[\s\S]*fine: 7/);
    expect(report).not.toContain('#2, request');
    expect(await of({ range: { from: 102, to: 103 } })).toMatch(/## What happened\n\n#2, request/);
  });
});

test('leaves out problems that missing frames may explain', async () => {
  const one = () =>
    frames(
      ['lifecycle', 'to-client', START],
      ['lifecycle', 'to-client', { event: 'open', era: 'legacy', version: '2025-11-25' }],
      ['protocol', 'to-client', { jsonrpc: '2.0', id: 9, result: {} }],
    );
  expect(await bugReport(one(), FACTS)).toContain('No request has the id');
  expect(await bugReport(one(), { ...FACTS, lacks: { damaged: 1 } })).not.toContain('No request has the id');
});

describe('a result that breaks its schema', () => {
  const call = (id: number, name: string) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });
  const broken = (id: number) => ({ jsonrpc: '2.0', id, result: { content: 'text' } });
  const session = (facts: object) =>
    bugReport(
      frames(
        ['lifecycle', 'to-client', START],
        ['lifecycle', 'to-client', { event: 'open', era: 'legacy', version: '2025-11-25' }],
        ['protocol', 'to-client', 'hello from the server'],
        ['protocol', 'to-server', call(1, 'first')],
        ['protocol', 'to-client', broken(1)],
        ['protocol', 'to-server', call(2, 'second')],
        ['protocol', 'to-client', broken(2)],
        ['protocol', 'to-server', call(3, 'third')],
        ['protocol', 'to-client', { jsonrpc: '2.0', id: 3, result: { content: [] } }],
      ),
      { ...FACTS, ...facts },
    );

  test('is the outcome of its exchange and of its step', async () => {
    const report = await session({ about: 106 });
    expect(report).toMatch(/## What went wrong\n\n#6, request to the server, at 0\.005 s: invalid result\n/);
    expect(report).toContain('#7, response to the client, at 0.006 s: invalid result\n');
    expect(report).toContain('``Invalid result: `content` is a string, expected an array``');
    expect(report).toContain('1. `tools/call first` (#4): invalid result\n');
    expect(report).toContain('2. `tools/call second` (#6): invalid result\n');
  });

  test('is listed only with the frames that are shown', async () => {
    const problems = async (about: number) =>
      /## Problems\n\n([\s\S]*?)\n\n## /.exec(await session({ about }))?.[1]?.match(/^- .*$/gm) ?? [];
    expect(await problems(106)).toEqual([expect.stringMatching(/content.*\(#7; </)]);
    expect(await problems(104)).toEqual([expect.stringMatching(/content.*\(#5; </)]);
    expect(await problems(108)).toEqual([]);
    expect(await problems(103)).toEqual([expect.stringMatching(/hello from the server.*\(#3; </)]);
  });
});

test('lists errors before warnings and hints', async () => {
  const resource = { name: 'a', uri: 'a b', mimeType: 'png' };
  const report = await bugReport(
    frames(
      ['lifecycle', 'to-client', START],
      ['lifecycle', 'to-client', { event: 'open', era: 'legacy', version: '2025-11-25' }],
      ['protocol', 'to-server', { jsonrpc: '2.0', id: 1, method: 'resources/list' }],
      ['protocol', 'to-client', { jsonrpc: '2.0', id: 1, result: { resources: [resource, {}] } }],
    ),
    FACTS,
  );
  expect([...report.matchAll(/^- \*\*(\w+)\*\*/gm)].map(([, severity]) => severity)).toEqual([
    'error',
    'error',
    'warning',
    'info',
  ]);
});
