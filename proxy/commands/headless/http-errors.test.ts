import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EXIT } from '@/proxy/cli/exit-code';
import { runCommand } from '../test-command-line';

/** The server’s answer to a tools/call. */
let onCall: 'fails' | 'hangs up';
let onList: 'fails' | undefined;
let server: Server;
const said: string[] = [];

beforeEach(async () => {
  said.length = 0;
  onList = undefined;
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  server = createServer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method } = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const answer = method === 'tools/list' && onList ? undefined : ANSWERS[method];
    if (answer) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: answer }));
    } else if (method === 'notifications/initialized') response.writeHead(202).end();
    else if (onCall === 'fails' || method !== 'tools/call') response.writeHead(500).end('Out of cheese');
    else response.destroy();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});
afterEach(() => {
  vi.restoreAllMocks();
  server.close();
});

const ANSWERS: Record<string, object> = {
  initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
  'tools/list': { tools: [{ name: 'a', inputSchema: { type: 'object' } }] },
};
const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
const call = async (...words: string[]) =>
  (await runCommand(['call', 'a', ...words, '--protocol', '2025-06-18', url()])).code;

test('an HTTP error after the handshake is an error of the server, and is not sent to the doctor', async () => {
  onCall = 'fails';
  expect(await call()).toBe(EXIT.serverError);
  expect(said.join('')).toContain('HTTP 500');
  expect(said.join('')).not.toContain('doctor');
  expect(await call('--times', '3')).toBe(EXIT.serverError);
});

test('doctor ends with 1 if the list answers with an HTTP error', async () => {
  onList = 'fails';
  expect((await runCommand(['doctor', '--protocol', '2025-06-18', url()])).code).toBe(EXIT.serverError);
  expect(said.join('')).toContain('HTTP 500');
});

test('a connection that is lost after the handshake is none', async () => {
  onCall = 'hangs up';
  expect([await call(), await call('--times', '3')]).toEqual([EXIT.noConnection, EXIT.noConnection]);
  expect(said.join('')).not.toContain('doctor');
});

test('an HTTP error in the handshake is none either, and names the doctor', async () => {
  const { code } = await runCommand(['call', 'a', '--protocol', '2026-07-28', url()]);
  expect(code).toBe(EXIT.noConnection);
  expect(said.join('')).toContain(`Run \`mcp-inspect doctor ${url()}\``);
});
