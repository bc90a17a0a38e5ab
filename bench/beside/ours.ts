import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Locator } from '@playwright/test';
import { fromRoot, launchLink } from '../inspected';
import type { Hand } from './hand';
import { EDIT, EDITED, type Inspector, NEEDLE, ROOT_URI, SECOND } from './inspector';

const button = ({ page }: Hand, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' }).first();
const group = ({ page }: Hand, name: string) => page.locator(`[data-group=${name}]`);
const menuItem = ({ page }: Hand, name: string) => page.getByRole('menuitem', { name }).first();
const entry = ({ page }: Hand, name: string | RegExp) => page.getByRole('option', { name }).first();
/** A field of text. One with suggestions is a combobox. */
const field = ({ page }: Hand, name: string) =>
  page.getByRole('textbox', { name }).or(page.getByRole('combobox', { name })).first();
const result = ({ page }: Hand, text: string) =>
  page.getByRole('region', { name: 'Result', exact: true }).getByText(text);

const detail = ({ page }: Hand) => page.getByRole('region', { name: 'Message detail' });

function start(home: string, server: readonly string[] = []) {
  const words = [fromRoot('dist/cli.js'), '--no-open', '--port', '0', ...(server.length > 0 ? ['--', ...server] : [])];
  return spawn(process.execPath, words, {
    env: { ...process.env, HOME: home, MCP_INSPECT_HOME: home },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** Waits for the list of tools, before a task begins. */
async function connected(hand: Hand): Promise<void> {
  await hand.see(hand.page.getByRole('listbox').getByRole('option'));
}

/** Waits until the page itself has put the cursor into a field. */
async function focused({ page }: Hand, field: Locator): Promise<void> {
  await field.waitFor();
  const element = (await field.elementHandle())!;
  await page.waitForFunction((control) => document.activeElement === control, element);
}

/** mcp-inspect. */
export const ours: Inspector = {
  name: 'mcp-inspect',
  start,
  async remember(home, server) {
    const yesterday = start(home, server);
    await launchLink(yesterday);
    yesterday.kill('SIGTERM');
    await once(yesterday, 'exit');
  },
  tasks: {
    result: {
      server: 'everything',
      prepare: async () => {},
      async carryOut(hand) {
        await hand.click(entry(hand, 'echo'));
        await hand.click(field(hand, 'message'));
        await hand.type('hello');
        await hand.press('Control+Enter');
        await hand.see(result(hand, 'Echo: hello'));
      },
    },
    nested: {
      server: 'filesystem',
      prepare: connected,
      async carryOut(hand) {
        await hand.click(entry(hand, 'edit_file'));
        await hand.click(field(hand, 'path'));
        await hand.type(EDITED);
        await hand.click(button(hand, 'Add item'));
        await hand.click(field(hand, 'oldText'));
        await hand.type(EDIT.oldText);
        await hand.click(field(hand, 'newText'));
        await hand.type(EDIT.newText);
        await hand.press('Control+Enter');
        // The tool says that it is destructive, so the page asks.
        await hand.click(button(hand, 'Call edit_file'));
        await hand.see(result(hand, `+${EDIT.newText}`));
      },
    },
    sampling: {
      server: 'everything',
      async prepare(hand) {
        await connected(hand);
        await hand.click(entry(hand, 'trigger-sampling-request'));
        await hand.click(field(hand, 'prompt'));
        await hand.type('Hi');
      },
      async carryOut(hand) {
        await hand.press('Control+Enter');
        await focused(hand, field(hand, 'Reply'));
        await hand.type('Good day');
        await hand.press('Control+Enter');
        await hand.see(result(hand, 'Good day'));
      },
    },
    elicitation: {
      server: 'everything',
      async prepare(hand) {
        await connected(hand);
        await hand.click(entry(hand, 'trigger-elicitation-request'));
      },
      async carryOut(hand) {
        await hand.press('Control+Enter');
        const question = hand.page.getByRole('region', { name: 'Question from the server' });
        await focused(hand, question.getByRole('textbox').first());
        await hand.type('Ada');
        await hand.click(question.getByRole('checkbox').first());
        await hand.press('Control+Enter');
        await hand.see(result(hand, 'Ada'));
      },
    },
    resource: {
      server: 'everything',
      prepare: connected,
      async carryOut(hand) {
        await hand.click(group(hand, 'Resources'));
        await hand.click(entry(hand, 'architecture.md'));
        await hand.see(hand.page.getByText('High‑level Overview'));
      },
    },
    template: {
      server: 'everything',
      prepare: connected,
      async carryOut(hand) {
        await hand.click(group(hand, 'Resources'));
        await hand.click(entry(hand, 'Dynamic Text Resource'));
        await focused(hand, field(hand, 'resourceId'));
        await hand.type('1');
        await hand.press('Control+Enter');
        await hand.see(result(hand, 'Resource 1: '));
      },
    },
    prompt: {
      server: 'everything',
      prepare: connected,
      async carryOut(hand) {
        await hand.click(group(hand, 'Prompts'));
        await hand.click(entry(hand, 'simple-prompt'));
        await hand.see(result(hand, 'This is a simple prompt'));
      },
    },
    raw: {
      server: 'everything',
      async prepare(hand) {
        await connected(hand);
        await hand.click(entry(hand, 'get-tiny-image'));
        await hand.press('Control+Enter');
        await hand.see(result(hand, 'ok'));
      },
      async carryOut(hand) {
        await hand.click(button(hand, 'Raw'));
        await hand.click(button(hand, /^request #/));
        await hand.see(detail(hand).getByText('tools/call'));
      },
    },
    error: {
      server: 'filesystem',
      prepare: connected,
      async carryOut(hand) {
        await hand.click(entry(hand, 'read_text_file'));
        await hand.click(field(hand, 'path'));
        await hand.type('/none');
        await hand.press('Control+Enter');
        await hand.see(result(hand, 'Access denied'));
      },
    },
    notifications: {
      server: 'everything',
      prepare: connected,
      carryOut: (hand) => hand.see(hand.page.getByRole('row').getByText('Roots updated')),
    },
    level: {
      server: 'everything',
      prepare: connected,
      async carryOut(hand) {
        await hand.click(button(hand, 'View of the log: All'));
        await hand.click(menuItem(hand, 'Server logs'));
        await hand.select(hand.page.getByRole('combobox', { name: 'Log level' }), 'debug');
      },
    },
    roots: {
      server: 'everything',
      prepare: connected,
      async carryOut(hand) {
        await hand.click(button(hand, 'Inbox'));
        await hand.click(entry(hand, /^Roots/));
        await hand.click(field(hand, 'URI'));
        await hand.type(ROOT_URI);
        await hand.press('Enter');
        await hand.see(hand.page.getByRole('row').getByText('notifications/roots/list_changed'));
      },
    },
    message: {
      server: 'everything',
      prepare: connected,
      async carryOut(hand) {
        await hand.click(button(hand, 'New message…'));
        await hand.click(button(hand, 'Send'));
        await hand.see(result(hand, 'ok'));
      },
    },
    second: {
      server: 'everything',
      prepare: connected,
      async carryOut(hand) {
        await hand.click(hand.page.getByRole('heading', { level: 1 }).getByRole('button'));
        await hand.click(button(hand, 'Add server'));
        await focused(hand, field(hand, 'Command line'));
        await hand.type(SECOND.join(' '));
        await hand.press('Enter');
        await hand.see(entry(hand, 'edit_file'));
      },
    },
    share: {
      server: 'everything',
      prepare: connected,
      async carryOut(hand) {
        await hand.click(button(hand, 'Share'));
        await hand.save(button(hand, 'Save HTML'));
      },
    },
    reconnect: {
      server: 'everything',
      isRemembered: true,
      prepare: async () => {},
      async carryOut(hand) {
        await hand.click(button(hand, /^Connect .*everything/));
        await hand.see(entry(hand, 'echo'));
      },
    },
    find: {
      server: 'flood',
      async prepare(hand) {
        await connected(hand);
        await hand.click(entry(hand, 'note'));
        await hand.click(field(hand, 'text'));
        await hand.type(NEEDLE);
        await hand.press('Control+Enter');
        await hand.see(result(hand, 'note call'));
        await hand.click(entry(hand, 'burst_5000'));
        await hand.press('Control+Enter');
        await hand.see(result(hand, 'burst_5000 call'));
      },
      async carryOut(hand) {
        await hand.press('Escape', '/');
        await hand.type(NEEDLE);
        await hand.see(hand.page.getByRole('region', { name: 'Message log' }).getByText('1 of'));
      },
    },
  },
};
