/**
 * The client under test in the conformance suite is here a person at the page: it starts the built mcp-inspect, opens
 * its page in Chromium, signs in where asked, calls each tool, answers its questions, reads each resource and gets each
 * prompt, all by clicks. The suite appends the server's URL to the arguments.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Locator, type Page } from '@playwright/test';

declare const ROOT: string;
const { findBrowser } = (await import(`${ROOT}/scripts/browser.mjs`)) as { findBrowser: () => string };

/** Values that the suite passes in the environment. */
const {
  MCP_CONFORMANCE_CONTEXT = '{}',
  MCP_CONFORMANCE_PROTOCOL_VERSION: version,
  MCP_CONFORMANCE_SCENARIO: scenario,
} = process.env;
const context = JSON.parse(MCP_CONFORMANCE_CONTEXT) as {
  toolCalls?: { name: string; arguments: object }[];
  client_id?: string;
  client_secret?: string;
};
const options = [
  ...(version ? ['--protocol', version] : []),
  ...(context.client_id ? ['--client-id', context.client_id] : []),
  ...(context.client_secret ? ['--client-secret', context.client_secret] : []),
  // The only client metadata document that the suite knows. Only this scenario expects it.
  ...(scenario === 'auth/basic-cimd'
    ? ['--client-metadata-url', 'https://conformance-test.local/client-metadata.json']
    : []),
];

/** The longest wait for anything on the page, in ms. */
const PATIENCE_MS = 30_000;

/** A person at the page. */
class Person {
  readonly #page: Page;
  #gone = false;

  constructor(page: Page) {
    this.#page = page;
    page.setDefaultTimeout(PATIENCE_MS);
  }

  /** Signs in whenever the page asks for it. Each sign-in opens a tab, which the servers lead back to mcp-inspect. */
  async signInWhenAsked(): Promise<void> {
    const link = this.#page.getByRole('region', { name: 'Sign in' }).getByRole('link', { name: 'Sign in' });
    // A server can ask again so soon that the link never seems to go away: then only its address changes.
    let used = '';
    while (!this.#gone) {
      const unused = link.and(this.#page.locator(`:not([href=${JSON.stringify(used)}])`));
      if (!(await this.#appears(unused))) continue;
      used = (await unused.getAttribute('href')) ?? '';
      const [tab] = await Promise.all([this.#page.context().waitForEvent('page'), link.click()]);
      await tab.getByRole('heading').waitFor();
      console.log('signed in:', await tab.getByRole('heading').innerText());
      await tab.close();
    }
  }

  async #appears(what: Locator): Promise<boolean> {
    return what.waitFor({ timeout: 500 }).then(
      () => true,
      () => false,
    );
  }

  get #isOpen(): Locator {
    return this.#page.getByRole('banner').getByRole('img', { name: 'open', exact: true });
  }

  /** Waits until the connection is open. Throws if it fails. */
  async connected(): Promise<void> {
    const open = this.#isOpen;
    const failed = this.#page.getByRole('banner').getByText('failed', { exact: true });
    await open.or(failed).waitFor();
    if (await failed.isVisible()) throw new Error(await this.#page.getByRole('main').getByRole('alert').innerText());
  }

  /** Opens a panel and returns the entries of its list, without those that the page marks as broken. */
  async entries(panel: string, list: string): Promise<readonly Locator[]> {
    await this.#page.getByRole('tab', { name: panel, exact: true }).click();
    const entries = this.#page.getByRole('listbox', { name: list, exact: true }).getByRole('option');
    await entries
      .first()
      .or(this.#page.getByText(/^This server (?:declares no|lists no) /))
      .first()
      .waitFor();
    return entries.filter({ hasNotText: '! problem' }).all();
  }

  /** Calls the tool of this entry, with these arguments or a sample of the required ones. */
  async callTool(entry: Locator, given: readonly { name: string; arguments: object }[]): Promise<void> {
    await entry.click();
    const name = await this.#page.getByRole('tabpanel').getByRole('heading', { level: 2 }).first().innerText();
    const calls = given.filter((call) => call.name === name);
    for (const call of calls) {
      await this.#page.getByRole('button', { name: 'JSON', exact: true }).click();
      await this.#page.locator('.monaco-editor').getByRole('textbox').focus();
      await this.#page.keyboard.press('ControlOrMeta+A');
      await this.#page.keyboard.insertText(JSON.stringify(call.arguments));
      await this.send('Call tool');
    }
    if (given.length > 0) return;
    const fill = this.#page.getByRole('button', { name: 'Fill', exact: true });
    if (await fill.isVisible()) {
      await fill.click();
      await this.#page.getByRole('menuitem', { name: 'Sample: required' }).click();
    }
    await this.send('Call tool');
  }

  /** Sends the request in view, and accepts the forms that the server asks for meanwhile. */
  async send(button: string): Promise<void> {
    await this.#page.getByRole('button', { name: button, exact: true }).click();
    await this.outcome();
  }

  async outcome(): Promise<void> {
    const status = this.#page.getByRole('region', { name: 'Result', exact: true }).getByRole('status').first();
    const ended = status.filter({ hasText: /ok|error|failed|cancelled|timeout|lost|refused/i });
    const accept = this.#page.getByRole('button', { name: 'Accept', exact: true });
    const anyway = this.#page.getByRole('button', { name: 'Accept anyway', exact: true });
    while (!(await this.#appears(ended))) {
      if (await anyway.isVisible()) await anyway.click();
      else if (await accept.isVisible()) await accept.click();
    }
    console.log('outcome:', await status.innerText());
  }

  async readResource(entry: Locator): Promise<void> {
    await entry.click();
    const read = this.#page.getByRole('button', { name: /^Read (resource|again)$/ });
    await read.waitFor();
    if ((await read.innerText()).includes('resource')) await read.click();
    await this.outcome();
  }

  async getPrompt(entry: Locator): Promise<void> {
    await entry.click();
    await this.send('Get prompt');
  }

  async disconnect(): Promise<void> {
    this.#gone = true;
    await this.#page.getByRole('button', { name: 'Disconnect', exact: true }).click();
    await this.#isOpen.waitFor({ state: 'hidden' });
  }

  leave(): void {
    this.#gone = true;
  }
}

const home = mkdtempSync(join(tmpdir(), 'mcp-inspect-conformance-'));
const bin = spawn(
  process.execPath,
  [`${ROOT}/dist/cli.js`, '--no-open', '--port', '0', ...options, process.argv.at(-1)!],
  {
    env: { ...process.env, MCP_INSPECT_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
const browser = await chromium.launch({ executablePath: findBrowser(), args });
let person: Person | undefined;
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(await findLink());
  person = new Person(page);
  const signIns = person.signInWhenAsked();
  signIns.catch((error) => console.error(error));
  await person.connected();
  for (const entry of await person.entries('Tools', 'tools')) await person.callTool(entry, context.toolCalls ?? []);
  for (const entry of await person.entries('Resources', 'resources')) await person.readResource(entry);
  for (const entry of await person.entries('Prompts', 'prompts')) await person.getPrompt(entry);
  await person.disconnect();
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  person?.leave();
  await browser.close();
  const ended = once(bin, 'exit');
  bin.kill('SIGTERM');
  await ended;
  rmSync(home, { recursive: true, force: true });
}

/** Resolves with the link that mcp-inspect prints. */
async function findLink(): Promise<string> {
  let printed = '';
  for await (const chunk of bin.stdout) {
    printed += chunk;
    const link = /^https?:\S+#launch=\S+$/m.exec(printed);
    if (link) {
      bin.stdout.resume();
      return link[0];
    }
  }
  throw new Error('mcp-inspect ended before it was ready.');
}
