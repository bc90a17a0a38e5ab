import { describe, expect, test } from 'vitest';
import { type ClientProfile, PROFILE_CHARS } from '@/lib/wire/client-profile';
import type { Command } from '@/lib/wire/command';
import { parseCommand } from './parse-command';

const LONG_PROFILE = { meta: { a: 'x'.repeat(PROFILE_CHARS) } };

const PROFILE: ClientProfile = {
  capabilities: { elicitation: { url: {} }, extensions: { 'com.example/x': { a: [1] } } },
  info: { name: 'n', title: 't', version: '1' },
  meta: { 'com.example/tenant': 'a' },
  timeouts: { silenceMs: 1, totalMs: 5000 },
};

const commands: Command[] = [
  { type: 'connect', ref: 'r', target: { transport: 'stdio', command: 'node', args: ['x.js'] }, protocol: 'auto' },
  {
    type: 'connect',
    ref: 'r',
    target: { transport: 'stdio', name: 'n', base: 'b', command: 'x', args: [], cwd: '/', env: { A: '1', B: null } },
    protocol: '2025-11-25',
  },
  { type: 'connect', ref: 'r', target: { transport: 'http', url: 'http://127.0.0.1/mcp' }, protocol: 'auto' },
  {
    type: 'connect',
    ref: 'r',
    target: {
      transport: 'auto',
      url: 'https://127.0.0.1/mcp',
      tls: { ca: ['a.pem'], cert: 'c.pem', key: 'k.pem', passphraseEnv: 'P', insecure: true },
    },
    protocol: 'auto',
  },
  { type: 'look-further', ref: 'r', connection: 'c1', where: 'paths' },
  { type: 'attach', connection: 'c1', after: 0 },
  { type: 'read', ref: 'r', connection: 'c1', from: 1, to: 2 },
  { type: 'request', ref: 'r', connection: 'c1', method: 'tools/call', params: '{}', timeoutMs: 5 },
  { type: 'request', ref: 'r', connection: 'c1', method: 'tools/call', task: {} },
  { type: 'request', ref: 'r', connection: 'c1', method: 'tools/call', task: { ttl: 60_000 } },
  { type: 'notify', ref: 'r', connection: 'c1', method: 'x' },
  { type: 'send-raw', ref: 'r', connection: 'c1', text: '{', terminate: true },
  { type: 'cancel', ref: 'r', connection: 'c1', id: 'discover' },
  {
    type: 'connect',
    ref: 'r',
    target: { transport: 'stdio', command: 'x', args: [], profile: PROFILE },
    protocol: 'auto',
  },
  { type: 'answer', ref: 'r', connection: 'c1', id: 1e20, answer: { result: '{}' } },
  { type: 'answer', ref: 'r', connection: 'c1', id: 'a', key: '', answer: { error: { code: -1, message: 'no' } } },
  { type: 'set-roots', ref: 'r', connection: 'c1', roots: [{ uri: 'file:///a', name: 'a' }, { uri: '' }] },
  { type: 'log-level', ref: 'r', connection: 'c1', level: 'debug' },
  { type: 'log-level', ref: 'r', connection: 'c1', level: null },
  { type: 'restart', ref: 'r', connection: 'c1' },
  { type: 'restart', ref: 'r', connection: 'c1', profile: PROFILE },
  { type: 'set-profile', ref: 'r', connection: 'c1', profile: {} },
  { type: 'try-profile', ref: 'r', connection: 'c1', profile: PROFILE, trial: 'without roots' },
  { type: 'close', ref: 'r', connection: 'c1' },
  { type: 'forget', ref: 'r', connection: 'c1' },
];

test.each(commands.map((command) => [command.type, command] as const))('parses %s', (_type, command) => {
  expect(parseCommand(JSON.stringify(command))).toEqual(command);
});

describe('attack: malformed commands', () => {
  const malformed: [string, string][] = [
    ['not JSON', '{"type":'],
    ['a number', '7'],
    ['an array', '[]'],
    ['null', 'null'],
    ['JSON nested 300 deep', `${'['.repeat(300)}${']'.repeat(300)}`],
    ['an unknown type', '{"type":"spawn"}'],
    ['a type named like a member of `Object.prototype`', '{"type":"constructor"}'],
    ['an extra key', '{"type":"close","ref":"r","connection":"c1","shell":true}'],
    ['a __proto__ key', '{"type":"close","ref":"r","connection":"c1","__proto__":{}}'],
    ['an unknown place to probe', '{"type":"look-further","ref":"r","connection":"c1","where":"http://x/"}'],
    [
      'an `insecure` that is not `true`',
      '{"type":"connect","ref":"r","target":{"transport":"auto","url":"https://h/","tls":{"insecure":1}},"protocol":"auto"}',
    ],
    ['an unknown capability', '{"type":"restart","ref":"r","connection":"c1","profile":{"capabilities":{"shell":{}}}}'],
    ['a long profile', JSON.stringify({ type: 'set-profile', ref: 'r', connection: 'c1', profile: LONG_PROFILE })],
    ['an empty trial', JSON.stringify({ type: 'try-profile', ref: 'r', connection: 'c1', profile: {}, trial: '' })],
    ['an empty answer', '{"type":"answer","ref":"r","connection":"c1","id":1,"answer":{}}'],
    [
      'too many roots',
      JSON.stringify({ type: 'set-roots', ref: 'r', connection: 'c1', roots: Array(101).fill({ uri: 'file:///' }) }),
    ],
    ['a missing key', '{"type":"close","ref":"r"}'],
    ['a wrong type', '{"type":"attach","connection":"c1","after":"0"}'],
    ['a negative seq', '{"type":"attach","connection":"c1","after":-1}'],
    [
      'a NUL in argv',
      '{"type":"connect","ref":"r","protocol":"auto","target":{"transport":"stdio","command":"a","args":["b\\u0000"]}}',
    ],
    [
      'an empty command',
      '{"type":"connect","ref":"r","protocol":"auto","target":{"transport":"stdio","command":"","args":[]}}',
    ],
    [
      'an unknown version',
      '{"type":"connect","ref":"r","protocol":"2099-01-01","target":{"transport":"stdio","command":"a","args":[]}}',
    ],
    ['a `ref` that is too long', JSON.stringify({ type: 'close', ref: 'x'.repeat(100), connection: 'c1' })],
    [
      'a timeout longer than any timer',
      '{"type":"request","ref":"r","connection":"c1","method":"x","timeoutMs":3000000000}',
    ],
    ['a task that is not an object', '{"type":"request","ref":"r","connection":"c1","method":"x","task":true}'],
    ['a negative ttl', '{"type":"request","ref":"r","connection":"c1","method":"x","task":{"ttl":-1}}'],
    ['a task with more', '{"type":"request","ref":"r","connection":"c1","method":"x","task":{"x":1}}'],
    [
      'an input’s answer that is not a string',
      '{"type":"connect","ref":"r","protocol":"auto","target":{"transport":"stdio","command":"a","args":[],"inputs":[{"id":"a","value":1}]}}',
    ],
    [
      'too many inputs',
      JSON.stringify({
        type: 'connect',
        ref: 'r',
        protocol: 'auto',
        target: { transport: 'auto', url: 'https://h', inputs: Array(201).fill({ id: 'a', value: '' }) },
      }),
    ],
    [
      'a number in env',
      '{"type":"connect","ref":"r","protocol":"auto","target":{"transport":"stdio","command":"a","args":[],"env":{"A":1}}}',
    ],
  ];
  test.each(malformed)('%s', (_what, text) => {
    expect(parseCommand(text)).toBeUndefined();
  });
});
