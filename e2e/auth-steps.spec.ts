import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from '@playwright/test';
import { type OAuthFixture, type OAuthOptions, startOAuth } from '../proxy/connection/fixtures/oauth-fixture';
import { expect, runBin } from './bin';
import { accessFaults } from './page-faults';
import { test as base } from './shared-bin';
import { Workbench } from './workbench';

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const CLAIMS = {
  iss: 'https://issuer',
  sub: 'user-1',
  aud: ['mcp'],
  email: 'ann@mail.example',
  jti: 'id-of-the-token',
};
const TOKEN = `${part({ alg: 'ES256', kid: 'k1' })}.${part(CLAIMS)}.${'sIgNaTuRe'.repeat(9)}`;

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

/** Signs in by the link on the page. */
async function signIn(page: Page): Promise<void> {
  const link = page.getByRole('region', { name: 'Sign in' }).getByRole('link', { name: 'Sign in' });
  const [tab] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
  await expect(tab.getByRole('heading')).toHaveText('You can close this tab');
  await tab.close();
}

/** Returns all files below a folder as one text. */
function filesIn(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, 'latin1'))
    .join('\n');
}

/** Texts that must not be anywhere: the token, each part of it, hidden claims, and the other secrets of the fixture. */
const SECRET = [
  'secret-code',
  'secret-refresh',
  'secret-registration',
  TOKEN,
  ...TOKEN.split('.'),
  CLAIMS.email,
  CLAIMS.jti,
];

function expectNoSecret(text: string, where: string): void {
  for (const secret of SECRET) expect(text.includes(secret), `${secret} in ${where}`).toBe(false);
}

test('each step is shown, runs alone, and leaves no token anywhere', async ({ open, oauth, browser }) => {
  const fixture = await oauth({
    revokes: true,
    accepts: [TOKEN],
    token: { access_token: TOKEN, expires_in: 3000 },
    resource: { scopes_supported: ['read', 'write'] },
  });
  const { page, bin } = await open([fixture.url]);
  const workbench = new Workbench(page);
  await expect(workbench.region('Sign in')).toBeVisible();
  // The steps show by themselves while the sign-in is waited for. The address keeps them.
  const steps = workbench.region('Steps');
  await expect(steps).toBeVisible();
  await workbench.panel('Authorization');
  const waiting = steps.getByRole('listitem').filter({ hasText: 'Sign-in page' });
  await expect(waiting).toContainText('waiting');
  await signIn(page);
  await workbench.connected();
  await expect(steps.getByRole('listitem')).toHaveText([
    /asks for a token.*401/,
    /Protected resource metadata.*done/,
    /Authorization server metadata.*done/,
    /Client registration.*done/,
    /Sign-in page.*done/,
    /Callback.*done/,
    /Token request with the code.*done/,
    /Use of the token.*done/,
  ]);

  const token = workbench.region('Token');
  await expect(token).toContainText(/Bearer, a JWT, \d+ characters/);
  await expect(token).toContainText(/in (?:49|50) min/);
  await expect(token).toContainText('read write');
  const claims = workbench.region('Access token, decoded');
  await expect(claims).toContainText('"user-1"');
  await expect(claims).toContainText(`hidden, ${CLAIMS.email.length + 2} characters`);

  const code = steps.getByRole('listitem').filter({ hasText: 'Token request with the code' });
  await code.getByText('Token request with the code').click();
  await expect(code).toContainText('authorization_code');
  await expect(code.getByRole('link', { name: /RFC 7636/ })).toBeVisible();
  expect(await accessFaults(page)).toEqual([]);
  await code.getByRole('button', { name: 'Send the code again' }).click();
  await expect(steps.getByRole('listitem').last()).toContainText('issued no token');
  await expect(page.getByRole('alert').filter({ hasText: 'issued no token' })).toBeVisible();

  const metadata = steps.getByRole('listitem').filter({ hasText: 'Protected resource metadata' });
  for (const count of [2, 3]) {
    if (count === 2) await metadata.first().getByText('Protected resource metadata').click();
    await metadata.first().getByRole('button', { name: 'Run only this step' }).click();
    await expect(metadata).toHaveCount(count);
  }
  await expect(metadata.last()).toContainText('run alone');

  const clients = steps.getByRole('listitem').filter({ hasText: 'Client registration' });
  await workbench.button('Register').click();
  await expect(clients.last()).toContainText('run alone');
  await expect(page.getByRole('status').filter({ hasText: 'Last step' })).toHaveText(/Client registration, done/);
  await workbench.button('Corrupt').click();
  await expect(steps.getByRole('listitem').last()).toContainText('corrupted on purpose');
  await workbench.button('Use the token').click();
  await expect(steps.getByRole('listitem').filter({ hasText: '401token corrupted' })).toBeVisible();
  await expect(steps.getByRole('listitem').last()).toContainText('Use of the token');
  await expect(token).toContainText('refreshed');
  await workbench.button('Revoke').click();
  await expect(token).toContainText('revoked');
  await expect(steps.getByRole('listitem').last()).toContainText('Token revocation');

  await workbench.panel('Server');
  await workbench.button('Keep for later runs').click();
  await expect(workbench.button('Kept for later runs')).toBeVisible();
  await workbench.panel('Authorization');
  await expect(token).toContainText('for later runs');

  expectNoSecret(await page.content(), 'the page');
  expectNoSecret(bin.stdout() + bin.stderr(), 'the terminal');
  bin.kill('SIGTERM');
  await bin.ended;
  const recordings = join(test.info().outputPath('home'), 'recordings');
  expectNoSecret(filesIn(recordings), 'the recordings');
  const [file] = readdirSync(recordings).filter((name) => name.endsWith('.mcpr.jsonl'));
  const html = test.info().outputPath('session.html');
  expect((await runBin(['share', join(recordings, file!), '--out', html])).ended).toBe(0);
  expectNoSecret(readFileSync(html, 'latin1'), 'the shared page');

  const shared = await browser.newPage();
  await shared.goto(pathToFileURL(html).href);
  const alone = new Workbench(shared);
  await alone.panel('Authorization');
  await expect(alone.region('Steps').getByRole('listitem').last()).toContainText('Token revocation');
  await expect(alone.region('Token')).toContainText('for later runs');
  await expect(alone.region('Access token, decoded')).toContainText('"user-1"');
  await alone.region('Steps').getByText('Client registration').first().click();
  await expect(alone.region('Steps')).toContainText('Next:');
  await expect(alone.button('Run only this step')).toHaveCount(0);
  await expect(alone.button('Corrupt')).toHaveCount(0);
  expectNoSecret(await shared.content(), 'the shared page in a browser');
  await shared.close();
});

test('a step of a failed sign-in runs again after the server was corrected', async ({ visit, oauth }) => {
  const fixture = await oauth({ metadata: { issuer: 'https://other.example' } });
  const { page } = await visit([fixture.url]);
  const workbench = new Workbench(page);
  await expect(page.getByRole('alert').filter({ hasText: 'names another issuer' })).toBeVisible();
  await workbench.panel('Authorization');
  const steps = workbench.region('Steps');
  await expect(steps.getByRole('listitem').last()).toContainText('Stopped');
  const metadata = steps.getByRole('listitem').filter({ hasText: 'Authorization server metadata' });
  await metadata.first().getByText('Authorization server metadata').click();
  fixture.options.metadata = {};
  await metadata.first().getByRole('button', { name: 'Run only this step' }).click();
  await expect(metadata.last()).toContainText('done');
  await workbench.button('Sign in again').click();
  await signIn(page);
  await expect(workbench.region('Token')).toContainText('from a sign-in');
});
