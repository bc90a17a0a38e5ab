import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ConnectionError } from '@/lib/transports/transport';
import { TOKEN_HEADER } from '@/lib/wire/api';
import { startFixture } from '@/proxy/http/attacks/fixture';
import { findServers, idOfFound } from '@/proxy/servers/discovery';
import { contextIn, testHome } from '@/proxy/servers/test-home';
import { installRoutes } from './install-routes';
import { Installer } from './installer';

const CONFIG = '{"mcpServers": {"files": {"command": "npx", "args": ["x"], "env": {"KEY": "s3cret"}}}}';

async function fixture(confirm?: (path: string, server: string, action: string) => Promise<void>) {
  const home = testHome({ '.cursor/mcp.json': CONFIG, 'opt/mcp-inspect/dist/cli.js': '' });
  mkdirSync(join(home, 'data'));
  const context = contextIn(home);
  const program = {
    home: join(home, 'opt/mcp-inspect/dist'),
    version: '1.2.3',
    node: process.execPath,
    platform: process.platform,
  };
  const installer = new Installer({ folder: join(home, 'data/recordings'), program, uid: context.uid });
  const { ask, token, end } = await startFixture({
    routes: installRoutes({ installer: async () => installer, context, confirm }),
  });
  const id = idOfFound((await findServers(context)).servers[0]!);
  const headers = { [TOKEN_HEADER]: token, 'content-type': 'application/json' };
  const post = async (step: string, request: object, given = headers) => {
    const { status, body } = await ask(
      'POST',
      `/api/installs/${step}`,
      given as Record<string, string>,
      JSON.stringify(request),
    );
    return { status, body, ...(body.startsWith('{') && { reply: JSON.parse(body) }) };
  };
  return { id, post, end, read: () => readFileSync(join(home, '.cursor/mcp.json'), 'utf8') };
}

test('a page shows a change, then makes it, and takes it back', async () => {
  const { id, post, end, read } = await fixture();
  for (const action of ['tap', 'untap']) {
    const { reply, body } = await post('plan', { id, action });
    expect(reply.diff.map(({ sign }: { sign: string }) => sign)).toEqual(['-', '+', '-', '+']);
    expect(body).not.toContain('s3cret');
    expect(await post('change', { id, action, digest: reply.digest })).toMatchObject({ status: 200 });
    expect(read().includes('"tap"')).toBe(action === 'tap');
  }
  expect(read()).toBe(CONFIG);
  const { status, reply } = await post('plan', { id, action: 'untap' });
  expect([status, reply.message]).toEqual([409, 'The entry `files` stays as it is. It is not tapped.']);
  await end();
});

test('attack: a page without the token, with its own text, or with another digest changes no config', async () => {
  const { id, post, end, read } = await fixture();
  const { digest } = (await post('plan', { id, action: 'tap' })).reply;
  const request = { id, action: 'tap', digest };
  expect((await post('change', request, { 'content-type': 'application/json' } as never)).status).toBe(401);
  expect((await post('change', { id, action: 'tap' })).status).toBe(400);
  expect((await post('change', { ...request, action: 'write' })).status).toBe(400);
  expect((await post('change', { ...request, id: '../../.bashrc' })).reply.code).toBe('server-gone');
  expect((await post('change', { ...request, digest: 'f'.repeat(64) })).reply.code).toBe('config-changed');
  expect(read()).toBe(CONFIG);
  // More than an id and a digest is ignored.
  await post('change', { ...request, command: 'evil', path: '/etc/passwd', text: '{}', host: 'x', server: 'y' });
  expect(read()).toContain('"--", "npx", "x"]');
  expect(read()).not.toContain('evil');
  await end();
});

test('attack: with --page confirm-commands, nothing is written before the terminal agrees', async () => {
  const asked: string[] = [];
  const { id, post, end, read } = await fixture(async (path, server, action) => {
    asked.push(`${path} ${server} ${action}`);
    throw new ConnectionError({ code: 'not-confirmed', message: 'm', advice: 'a' });
  });
  const { digest } = (await post('plan', { id, action: 'tap' })).reply;
  expect((await post('change', { id, action: 'tap', digest })).reply.code).toBe('not-confirmed');
  expect(asked).toEqual([expect.stringMatching(/mcp\.json files tap$/)]);
  expect(read()).toBe(CONFIG);
  await end();
});
