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

/** A call of a tool that the suite expects. */
interface Call {
  readonly name: string;
  readonly arguments: object;
}

/** Values that the suite passes in the environment. */
const {
  MCP_CONFORMANCE_CONTEXT = '{}',
  MCP_CONFORMANCE_PROTOCOL_VERSION: version,
  MCP_CONFORMANCE_SCENARIO: scenario,
} = process.env;
const context = JSON.parse(MCP_CONFORMANCE_CONTEXT) as {
  toolCalls?: Call[];
  client_id?: string;
  client_secret?: string;
};
const options = [
  ...(version ? ['--protocol', version] : []),
  ...(context.client_id ? ['--auth', `client-id=${context.client_id}`] : []),
  ...(context.client_secret ? ['--auth', `client-secret=${context.client_secret}`] : []),
  // The only client metadata document that the suite knows. Only this scenario expects it.
  ...(scenario === 'auth/basic-cimd'
    ? ['--auth', 'client-metadata-url=https://conformance-test.local/client-metadata.json']
    : []),
];

/** The longest wait for anything on the page, in ms. */
const PATIENCE_MS = 30_000;

/**
 * A person at the page. A page has only one mouse: of two clicks at the same time, one is often lost. So the person
 * does one thing after another, and signs in and accepts forms while waiting for something else.
 */
class Person {
  readonly #page: Page;
  /** Address of the last sign-in. A server can ask again so soon that the link stays and only this changes. */
  #signedInAt = '';

  constructor(page: Page) {
    this.#page = page;
    page.setDefaultTimeout(PATIENCE_MS);
  }

  /** Waits until this appears, and does what the page asks for meanwhile. Throws if nothing happens for a while. */
  async #until(what: Locator): Promise<void> {
    const wanted = what.filter({ visible: true }).first();
    const patience = (): number => Date.now() + PATIENCE_MS;
    let deadline = patience();
    while (true) {
      await this.#appears(wanted.or(this.#signInLink).first());
      const signedIn = await this.#signIn();
      if (!signedIn && (await wanted.isVisible())) return;
      if (signedIn || (await this.#accept())) deadline = patience();
      else if (Date.now() > deadline) throw new Error(`Waited ${PATIENCE_MS / 1000} s for ${what}.`);
    }
  }

  async #appears(what: Locator): Promise<boolean> {
    return what.waitFor({ timeout: 500 }).then(
      () => true,
      () => false,
    );
  }

  /** The link of a sign-in that the person has not followed. */
  get #signInLink(): Locator {
    const link = this.#page.getByRole('region', { name: 'Sign in' }).getByRole('link', { name: 'Sign in' });
    return link.and(this.#page.locator(`:not([href=${JSON.stringify(this.#signedInAt)}])`));
  }

  /** Signs in if the page asks for it. That opens a tab, which the servers lead back to mcp-inspect. */
  async #signIn(): Promise<boolean> {
    const link = this.#signInLink;
    if (!(await link.isVisible())) return false;
    const address = (await link.getAttribute('href')) ?? '';
    const [tab] = await Promise.all([this.#page.context().waitForEvent('page'), link.click()]);
    this.#signedInAt = address;
    await tab.getByRole('heading').waitFor();
    console.log('signed in:', await tab.getByRole('heading').innerText());
    await tab.close();
    return true;
  }

  /** Accepts the form in view, if there is one. */
  async #accept(): Promise<boolean> {
    for (const name of ['Accept anyway', 'Accept']) {
      const button = this.#page.getByRole('button', { name, exact: true });
      if (!(await button.isVisible())) continue;
      await button.click();
      return true;
    }
    return false;
  }

  /** The chip with the connection's state. */
  #state(name: RegExp): Locator {
    return this.#page.getByRole('banner').getByRole('button', { name });
  }

  get #isOpen(): Locator {
    return this.#state(/^open\b/);
  }

  /** Waits until the connection is open. Throws if it fails. */
  async connected(): Promise<void> {
    const failed = this.#state(/failed\b/);
    await this.#until(this.#isOpen.or(failed));
    if (await failed.isVisible()) throw new Error(await this.#page.getByRole('main').getByRole('alert').innerText());
  }

  /** Tries each entry of the server, without those that the page marks as broken. */
  async tryAll(calls: readonly Call[]): Promise<void> {
    await this.#page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Browse' }).click();
    const entries = this.#page.getByRole('listbox', { name: /^(?:tools|resources|prompts)\b/ }).getByRole('option');
    await this.#until(entries.or(this.#page.getByText(/^This server (?:declares no|lists no) /)));
    for (const entry of await entries.filter({ hasNotText: '! problem' }).all()) {
      await entry.click();
      // The address names the entry's kind, once it is chosen.
      await this.#page.waitForURL(/[?&]panel=/);
      const kind = new URL(this.#page.url()).searchParams.get('panel');
      if (kind === 'tools') await this.callTool(calls);
      else if (kind === 'resources') await this.readResource();
      else if (kind === 'prompts') await this.send('Get prompt');
    }
  }

  /** Calls the tool in view, with these arguments or a sample of the required ones. */
  async callTool(given: readonly Call[]): Promise<void> {
    const view = this.#page.getByRole('region', { name: 'Browse view' });
    // The first heading is the view's.
    const name = await view.getByRole('heading', { level: 2 }).last().innerText();
    const calls = given.filter((call) => call.name === name);
    for (const call of calls) {
      const json = this.#page.getByRole('button', { name: 'JSON', exact: true });
      if (await json.isVisible()) await json.click();
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

  /** Sends the request in view. */
  async send(button: string): Promise<void> {
    await this.#page.getByRole('button', { name: button, exact: true }).click();
    await this.outcome();
  }

  async outcome(): Promise<void> {
    const status = this.#page.getByRole('region', { name: 'Result', exact: true }).getByRole('status').first();
    await this.#until(status.filter({ hasText: /ok|error|failed|cancelled|timeout|lost|refused/i }));
    console.log('outcome:', await status.innerText());
  }

  /** Reads the resource in view. */
  async readResource(): Promise<void> {
    const read = this.#page.getByRole('button', { name: /^Read (resource|again)$/ });
    await this.#until(read);
    if ((await read.innerText()).includes('resource')) await read.click();
    await this.outcome();
  }

  async disconnect(): Promise<void> {
    await this.#page.getByRole('heading', { level: 1 }).getByRole('button').click();
    await this.#page.getByRole('button', { name: 'Disconnect' }).click();
    await this.#isOpen.waitFor({ state: 'hidden' });
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
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
try {
  await page.goto(await findLink());
  const person = new Person(page);
  await person.connected();
  await person.tryAll(context.toolCalls ?? []);
  await person.disconnect();
} catch (error) {
  // The error says what was waited for, and this what the page showed instead.
  console.error(error);
  console.error(`The browser showed:\n${await shown()}`);
  process.exitCode = 1;
} finally {
  await browser.close();
  const ended = once(bin, 'exit');
  bin.kill('SIGTERM');
  await ended;
  rmSync(home, { recursive: true, force: true });
}

/** Returns what each open tab shows, as an outline. */
async function shown(): Promise<string> {
  const tabs = browser.contexts().flatMap((each) => each.pages());
  const outlines = tabs.map((tab) => tab.locator('body').ariaSnapshot({ timeout: 5000 }).catch(String));
  return (await Promise.all(outlines)).join('\n---\n');
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
