import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type OAuthFixture, type OAuthOptions, startOAuth } from '../proxy/connection/fixtures/oauth-fixture';
import { expect, packageFolder, runBin } from './bin';
import { test as base } from './shared-bin';
import { Workbench } from './workbench';

const test = base.extend<{ oauth(options?: Partial<OAuthOptions>): Promise<OAuthFixture> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names from the pattern
  oauth: async ({}, use) => {
    const started: OAuthFixture[] = [];
    await use(async (options) => {
      const fixture = await startOAuth(options);
      started.push(fixture);
      return fixture;
    });
    await Promise.all(started.map((fixture) => fixture.close()));
  },
});

test('sign in with a click, then sign out', async ({ open, oauth, context }) => {
  const fixture = await oauth({ resource: { scopes_supported: ['read', 'write'] } });
  const { page, bin } = await open([fixture.url]);
  const workbench = new Workbench(page);
  const note = workbench.region('Sign in');
  await expect(note).toContainText('This server requires you to sign in');
  await expect(note).toContainText(new URL(fixture.issuer.origin).host);
  await expect(note).toContainText('read write');
  await expect(note).toContainText(`${fixture.issuer.origin}/authorize?response_type=code`);
  // The page opens no sign-in tab by itself.
  expect(context.pages()).toHaveLength(1);
  expect(fixture.asked).not.toContain('GET /authorize');

  const link = note.getByRole('link', { name: 'Sign in' });
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer');
  const [tab] = await Promise.all([context.waitForEvent('page'), link.click()]);
  await expect(tab.getByRole('heading')).toHaveText('You can close this tab');
  await tab.close();

  await workbench.connected();
  await expect(note).toBeHidden();
  await workbench.tool('echo');
  await workbench.call();
  await expect(workbench.outcome).toBeVisible();
  await workbench.button('HTTP').click();
  await workbench.filter('"POST /token"');
  await expect(workbench.rows.first()).toContainText('OAuth, at 127.0.0.1');
  await workbench.filter('');

  await workbench.panel('Server');
  const facts = workbench.region('Authorization');
  await expect(facts).toContainText(fixture.issuer.origin);
  await expect(facts).toContainText('read write');
  await workbench.button('Sign out').click();
  await expect(facts).toBeHidden();
  await workbench.restart();
  await expect(note).toBeVisible();
  await note.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'You cancelled the sign-in' })).toBeVisible();
  expect(await page.content()).not.toContain('secret-');
  expect(bin.stdout() + bin.stderr()).not.toContain('secret-');
});

test('a wrong bearer token and a sign-in address that is not a web page are reported', async ({ visit, oauth }) => {
  await test.step('a wrong bearer token is reported, a right one connects', async () => {
    const fixture = await oauth();
    fixture.good.set('right', []);
    const { page } = await visit([]);
    const workbench = new Workbench(page);
    await workbench.field('Command line, URL or JSON config').fill(fixture.url);
    await workbench.options();
    await page.getByText('Authorization', { exact: true }).click();
    await expect(page.getByText(/\/oauth\/callback$/)).toBeVisible();
    await page.getByLabel('Bearer token').fill('wrong');
    await workbench.button('Connect').click();
    const failure = page.getByRole('alert').filter({ hasText: 'rejected the credentials' });
    await expect(failure).toContainText('remove the Authorization header to sign in');
    expect(fixture.asked).toEqual([]);

    await workbench.button('Edit and connect again').click();
    await workbench.options();
    await page.getByText('Authorization', { exact: true }).last().click();
    await page.getByLabel('Bearer token').fill('right');
    await workbench.button('Connect').last().click();
    await workbench.connected();
  });

  await test.step('a sign-in address that is not a web page is shown, not opened', async () => {
    const fixture = await oauth({ metadata: { authorization_endpoint: 'javascript:alert(1)' } });
    const { page } = await visit([fixture.url]);
    await expect(page.getByRole('alert').filter({ hasText: '"javascript:alert(1)"' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Sign in' })).toHaveCount(0);
    expect(page.context().pages()).toHaveLength(1);
  });
});

test.describe('on the command line', () => {
  test('prints the sign-in address and continues after the sign-in', async ({ oauth }) => {
    const fixture = await oauth();
    const child = spawn(process.execPath, [join(packageFolder(), 'dist/cli.js'), 'list', 'tools', fixture.url], {
      env: { ...process.env, CI: '' },
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (text) => {
      stdout += text;
    });
    child.stderr.on('data', (text) => {
      stderr += text;
    });
    while (!stderr.includes('state=')) await once(child.stderr, 'data');
    const url = /^http\S+$/m.exec(stderr)![0];
    const back = await fixture.visit(url);
    expect(back.origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await fetch(new URL('/oauth/callback?state=wrong&code=1', back))).status).toBe(400);
    expect((await fetch(new URL('/', back))).status).toBe(401);
    expect((await fetch(back)).status).toBe(200);
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(stdout).toContain('echo');
    expect(stdout + stderr).not.toContain('secret-');
  });

  test('in CI, says that signing in is not possible', async ({ oauth }) => {
    const fixture = await oauth();
    const { ended, stderr } = await runBin(['list', fixture.url], { env: { CI: 'true' } });
    expect(ended).toBe(3);
    expect(stderr).toContain('which is not possible in CI');
    expect(stderr).toContain('--header');
  });

  test('stops waiting for the sign-in after --timeout', async ({ oauth }) => {
    const fixture = await oauth();
    const { ended } = await runBin(['list', '--timeout', '1', fixture.url], { env: { CI: '' } });
    expect(ended).toBe(5);
  });

  test('reads the client secret from the environment', async ({ oauth }) => {
    const fixture = await oauth({ metadata: { registration_endpoint: undefined } });
    const { ended, stderr } = await runBin(['list', '--auth', 'client-id=mine', '--timeout', '5', fixture.url], {
      env: { CI: '', MCP_INSPECT_CLIENT_SECRET: 'secret-of-client' },
    });
    expect(ended).toBe(5);
    expect(stderr).toContain('client_id=mine');
    expect(stderr).not.toContain('secret-of-client');
  });
});
