import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { resolveBinding } from '@/proxy/http/addresses';
import { requestOf } from '../commands/test-command-line';
import { readPageOptions } from './page-options';

const ROOT = join(import.meta.dirname, '../..');

/** The instructions of the Dockerfile's last stage: name and value. */
const LAST_STAGE = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n/g, ' ')
  .split(/^(?=FROM )/m)
  .at(-1)!
  .split('\n')
  .map((line) => /^([A-Z]+) (.*)$/.exec(line)?.slice(1) ?? []);

function instruction(name: string): string | undefined {
  return LAST_STAGE.findLast(([found]) => found === name)?.[1];
}

test('the image runs as a user without rights, and keeps its data in a volume', () => {
  expect(instruction('USER')).toBe('node');
  expect(instruction('ENV')).toMatch(`MCP_INSPECT_HOME=${instruction('VOLUME')} `);
});

test('the image starts the page on the port that it exposes, at the names of this machine only', () => {
  const [program, ...options] = JSON.parse(instruction('ENTRYPOINT')!) as string[];
  expect(program).toBe('mcp-inspect');
  const { given, server } = requestOf(...options, 'node', 'server.js');
  expect(server).toEqual(['node', 'server.js']);
  const { host, hostNames, port, open } = readPageOptions(given);
  expect({ port: String(port), open }).toEqual({ port: instruction('EXPOSE'), open: false });
  const { address, names, shown } = resolveBinding(host!, hostNames);
  expect({ address, shown }).toEqual({ address: '0.0.0.0', shown: 'localhost' });
  expect(new Set(names)).toEqual(new Set(['localhost', '127.0.0.1', '[::1]']));
  // Options after the image's name win.
  const other = requestOf(...options, '--port', '8080', '--page', 'url=http://localhost:9999');
  expect(readPageOptions(other.given)).toMatchObject({ port: 8080, publicUrl: { authority: 'localhost:9999' } });
});

test('the image’s health check asks its own page, without a token', async () => {
  const [, command] = /^.*? CMD (\[.*\])$/.exec(instruction('HEALTHCHECK')!)!;
  const [program, ...args] = JSON.parse(command!) as string[];
  expect(program).toBe('node');
  const check = async (port: number): Promise<number | null> => {
    const script = args.map((arg) => arg.replace(`localhost:${instruction('EXPOSE')}/`, `localhost:${port}/`));
    expect(script).not.toEqual(args);
    const child = spawn(process.execPath, script, { stdio: 'inherit' });
    const [code] = (await once(child, 'exit')) as [number | null];
    return code;
  };
  const hosts: (string | undefined)[] = [];
  const server = createServer(({ headers, url }, response) => {
    hosts.push(headers.host);
    response.writeHead(url === '/' && !('mcp-inspect-token' in headers) ? 200 : 404).end();
  });
  await once(server.listen(0, 'localhost'), 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await check(port)).toBe(0);
  expect(hosts).toEqual([`localhost:${port}`]);
  await promisify(server.close.bind(server))();
  expect(await check(port)).toBe(1);
});

test('both stages have a version of Node that the package allows', () => {
  const versions = Array.from(readFileSync(join(ROOT, 'Dockerfile'), 'utf8').matchAll(/^FROM node:(\d+)-slim\b/gm));
  expect(versions.map(([, major]) => Number(major))).toEqual([22, 22]);
});
