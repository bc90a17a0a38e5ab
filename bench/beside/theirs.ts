import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OFFICIAL_VERSION, startOfficial } from '../official';
import type { Hand } from './hand';
import { EDIT, EDITED, type Inspector, NEEDLE, ROOT_URI, SECOND } from './inspector';

const button = ({ page }: Hand, name: string | RegExp) => page.getByRole('button', { name }).first();
const panel = ({ page }: Hand, name: string) => page.getByText(name, { exact: true }).first();
const field = ({ page }: Hand, name: string) => page.getByRole('textbox', { name, exact: true });

async function connect(hand: Hand, name = ''): Promise<void> {
  const what = name === '' ? /^Connect or disconnect/ : `Connect or disconnect "${name}"`;
  await hand.clickCovered(hand.page.getByRole('switch', { name: what }).first());
}

/** Connects and opens the Tools panel, before a task begins. */
async function connected(hand: Hand): Promise<void> {
  await connect(hand);
  await hand.click(panel(hand, 'Tools'));
  await hand.see(hand.page.getByPlaceholder('Search tools...'));
}

const nothing = async () => {};

/** @modelcontextprotocol/inspector, the official one, as it is meant to be used. */
export const official: Inspector = {
  name: `official inspector ${OFFICIAL_VERSION}`,
  // Title and name of a tool of server-everything: `Get Sum Toolget-sum`.
  isRow: (name) => /[a-z](?:-[a-z]+)+$|Toolecho$/.test(name),
  start: (home, server) => startOfficial(home, server),
  remember(home, [command, ...args]) {
    mkdirSync(join(home, '.mcp-inspector'), { recursive: true });
    const catalog = { mcpServers: { yesterday: { type: 'stdio', command, args } } };
    writeFileSync(join(home, '.mcp-inspector/mcp.json'), JSON.stringify(catalog));
  },
  tasks: {
    result: {
      server: 'everything',
      prepare: nothing,
      async carryOut(hand) {
        await connect(hand);
        await hand.click(panel(hand, 'Tools'));
        await hand.click(button(hand, 'Echo Tool echo'));
        await hand.click(field(hand, 'message'));
        await hand.type('hello');
        await hand.click(button(hand, 'Execute Tool'));
        await hand.see(hand.page.getByText('Echo: hello'));
      },
    },
    nested: {
      server: 'filesystem',
      prepare: connected,
      async carryOut(hand) {
        await hand.click(button(hand, /edit_file/));
        await hand.click(field(hand, 'path'));
        await hand.type(EDITED);
        await hand.click(button(hand, 'Add item to edits'));
        await hand.click(field(hand, 'oldText'));
        await hand.type(EDIT.oldText);
        await hand.click(field(hand, 'newText'));
        await hand.type(EDIT.newText);
        await hand.click(button(hand, 'Execute Tool'));
        await hand.see(hand.page.getByRole('heading', { name: 'Results' }));
      },
    },
    sampling: {
      server: 'everything',
      async prepare(hand) {
        await connected(hand);
        await hand.click(button(hand, 'Trigger Sampling Request Tool'));
        await hand.click(field(hand, 'prompt'));
        await hand.type('Hi');
      },
      async carryOut(hand) {
        await hand.click(button(hand, 'Execute Tool'));
        await hand.click(field(hand, 'Response'));
        await hand.type('Good day');
        await hand.click(button(hand, 'Send Response'));
        await hand.see(hand.page.getByRole('heading', { name: 'Results' }));
      },
    },
    elicitation: {
      server: 'everything',
      async prepare(hand) {
        await connected(hand);
        await hand.click(button(hand, 'Trigger Elicitation Request Tool'));
      },
      async carryOut(hand) {
        await hand.click(button(hand, 'Execute Tool'));
        const form = hand.page.getByRole('dialog');
        await hand.click(form.getByRole('textbox').first());
        await hand.type('Ada');
        await hand.click(form.getByRole('checkbox').first());
        await hand.click(form.getByRole('button', { name: 'Submit' }));
        await hand.see(hand.page.locator('main').getByText(/Ada/));
      },
    },
    resource: {
      server: 'everything',
      prepare: connected,
      async carryOut(hand) {
        await hand.click(panel(hand, 'Resources'));
        await hand.click(button(hand, 'architecture.md'));
        await hand.see(hand.page.getByText('High‑level Overview').or(hand.page.getByText('High-level Overview')));
      },
    },
    template: {
      server: 'everything',
      prepare: connected,
      async carryOut(hand) {
        await hand.click(panel(hand, 'Resources'));
        await hand.click(button(hand, 'Dynamic Text Resource'));
        await hand.click(field(hand, 'resourceId'));
        await hand.type('1');
        await hand.click(button(hand, 'Read Resource'));
        await hand.see(hand.page.getByText('Resource 1: '));
      },
    },
    prompt: {
      server: 'everything',
      prepare: connected,
      async carryOut(hand) {
        await hand.click(panel(hand, 'Prompts'));
        await hand.click(button(hand, 'Simple Prompt'));
        await hand.see(hand.page.getByText('This is a simple prompt'));
      },
    },
    raw: {
      server: 'everything',
      async prepare(hand) {
        await connected(hand);
        await hand.click(button(hand, 'Get Tiny Image Tool'));
        await hand.click(button(hand, 'Execute Tool'));
        await hand.see(hand.page.getByRole('heading', { name: 'Results' }));
      },
      async carryOut(hand) {
        await hand.click(panel(hand, 'Protocol'));
        await hand.click(button(hand, 'Expand'));
        await hand.see(hand.page.getByText(/tools\/call/i));
      },
    },
    error: {
      server: 'filesystem',
      prepare: connected,
      async carryOut(hand) {
        await hand.click(button(hand, /read_text_file/));
        await hand.click(field(hand, 'path'));
        await hand.type('/none');
        await hand.click(button(hand, 'Execute Tool'));
        await hand.see(hand.page.getByText(/Access denied/));
      },
    },
    notifications: {
      server: 'everything',
      prepare: connected,
      carryOut: (hand) => hand.see(hand.page.getByText(/Roots updated/)),
    },
    // It has neither.
    level: undefined,
    message: undefined,
    roots: {
      server: 'everything',
      isRemembered: true,
      prepare: (hand) => hand.see(button(hand, 'Settings')),
      async carryOut(hand) {
        await hand.click(button(hand, /^Settings$/));
        await hand.click(button(hand, 'Roots'));
        await hand.click(button(hand, /Add root/i));
        await hand.click(hand.page.getByPlaceholder(/file:/).first());
        await hand.type(ROOT_URI);
      },
    },
    second: {
      server: 'everything',
      isRemembered: true,
      prepare: (hand) => connect(hand, 'yesterday'),
      async carryOut(hand) {
        await hand.click(button(hand, 'Add Servers'));
        await hand.click(hand.page.getByRole('menuitem', { name: 'Add manually' }));
        await hand.click(hand.page.getByLabel('Server ID'));
        await hand.type('second');
        await hand.click(hand.page.getByLabel('Command'));
        await hand.type(SECOND[0]!);
        await hand.click(hand.page.getByLabel('Arguments'));
        await hand.type(SECOND.slice(1).join('\n'));
        await hand.click(button(hand, /^Add$/));
        await connect(hand, 'second');
        await hand.click(panel(hand, 'Tools'));
        await hand.see(button(hand, /edit_file/));
      },
    },
    share: {
      server: 'everything',
      prepare: connected,
      async carryOut(hand) {
        await hand.click(panel(hand, 'Protocol'));
        await hand.save(button(hand, 'Export'));
      },
    },
    reconnect: {
      server: 'everything',
      isRemembered: true,
      prepare: nothing,
      async carryOut(hand) {
        await connect(hand, 'yesterday');
        await hand.click(panel(hand, 'Tools'));
        await hand.see(button(hand, 'Echo Tool echo'));
      },
    },
    find: {
      server: 'flood',
      async prepare(hand) {
        await connected(hand);
        await hand.click(button(hand, 'note'));
        await hand.click(field(hand, 'text'));
        await hand.type(NEEDLE);
        await hand.click(button(hand, 'Execute Tool'));
        await hand.see(hand.page.getByText(/note call/));
        await hand.click(button(hand, /burst_5000/));
        await hand.click(button(hand, 'Execute Tool'));
        await hand.see(hand.page.getByText(/burst_5000 call/));
      },
      async carryOut(hand) {
        await hand.click(panel(hand, 'Protocol'));
        await hand.click(hand.page.getByPlaceholder('Search...').last());
        await hand.type(NEEDLE);
        await hand.see(hand.page.getByText('tools/call'));
      },
    },
  },
};
