import { expect, test } from 'vitest';
import { readServerOptions } from '@/proxy/cli/server-options';
import { resolveLaunch } from '@/proxy/connection/launch';
import { requestOf } from '../test-command-line';
import { doctorHint } from './doctor-hint';

const AT_URL = resolveLaunch({ transport: 'auto', url: 'http://127.0.0.1:1/mcp' }, 'auto', []);
const hint = (...words: string[]) => doctorHint(AT_URL, readServerOptions(requestOf('list', ...words)));

test('names the command that tells more about a URL', () => {
  expect(hint('http://127.0.0.1:1/mcp')).toBe('Run `mcp-inspect doctor http://127.0.0.1:1/mcp` for each step.');
  expect(hint('--config', 'c.json', '--server', 'a')).toContain('`mcp-inspect doctor --config c.json --server a`');
  expect(hint('--transport', 'sse', 'http://h/sse')).toContain('`mcp-inspect doctor http://h/sse --transport sse`');
});

test('repeats no secret', () => {
  const same = 'Run `mcp-inspect doctor …` with the same server and options for each step.';
  expect(hint('-H', 'Authorization: Bearer s3cret', 'http://h/mcp')).toBe(same);
  expect(hint('http://h/mcp?api_key=s3cret')).toBe(same);
});

test('has nothing to add about a process', () => {
  const launch = resolveLaunch({ transport: 'stdio', command: 'x', args: [] }, 'auto', []);
  expect(doctorHint(launch, readServerOptions(requestOf('list', '--', 'x')))).toBeUndefined();
});
