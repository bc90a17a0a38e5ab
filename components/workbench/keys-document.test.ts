import { expect, test } from 'vitest';
import { LOG_VIEWS, PANELS } from '@/components/panels/registry';
import { isSingleKey, SEND_KEYS } from '@/components/ui/key-press';
import { DROP_KEYS, OLD_KEYS, RELEASE_ALL_KEYS } from '@/components/ui/old-keys';
import { FEATURE_PAGES } from '@/features/page-features';

test('docs/keys.md lists the keys of the panels and what replaces old keys (vitest --update rewrites it)', async () => {
  await expect(keysDocument()).toMatchFileSnapshot('../../docs/keys.md');
});

test('every old key was a single key, and what replaces it is not', () => {
  for (const { keys, now } of OLD_KEYS) {
    expect(isSingleKey(keys), keys).toBe(true);
    expect(now !== undefined && isSingleKey(now), keys).toBe(false);
  }
});

/** Rows of the table: keys and what they do. `g` and the letter of each panel are between them. */
const BEFORE_PANELS = [
  ['`/`', 'filter the log ([language](filter.md))'],
  ['`m`, `t`, `h`', 'maximise the log; open its timeline; show HTTP'],
  ['`p`, `c`, `u`, `End`', 'pause the log’s view; clear it; undo that; follow the newest messages'],
  ['`j`, `k`', 'select the next or the previous message'],
  ['`Enter`, `Esc`', 'go to the detail of the message; close it'],
  ['`1` to `6`', 'show a tab of the detail'],
  [
    '`o`, `O`',
    'go from a request to its response, and back, or from a span to its call; from a call to its first span',
  ],
  ['`[`, `]`', 'go to the previous or the next bookmark'],
  ['`x`, `e`', 'in an ended connection: show its state at the message; go back to its end'],
  ['`,`, `.`, `;`', 'in an ended connection: go one message back or forward in time; play it'],
  ['`v`, `V`', 'in Hold: show the next or the previous held message'],
  ['`a`', 'go to the server’s question'],
  ['`s`', 'share'],
] as const;

const PAGES = [...FEATURE_PAGES, { key: 'l', title: 'Recordings' }, { key: ',', title: 'Settings' }];

const AFTER_PANELS = [
  [PAGES.map(({ key }) => `\`g ${key}\``).join(', '), PAGES.map(({ title }) => title).join(', ')],
  ['`?`', 'list all keys'],
] as const;

function keysDocument(): string {
  const row = ([keys, does]: readonly [string, string]) => `| ${keys} | ${does} |`;
  const panels = [...PANELS, ...LOG_VIEWS].flatMap(({ key, title }) => (key ? [row([`\`g ${key}\``, title])] : []));
  return `# Keys of the page

\`?\` lists all keys that work now.

| key | what it does |
|---|---|
| ${written('mod+k')} | command palette: find tools, resources and commands |
| ${written(SEND_KEYS)} | call the tool, send the answer, or release the held message and show the next |
| ${written(DROP_KEYS)} | in Hold: drop the held message |
| ${written(RELEASE_ALL_KEYS)} | release all held messages |
| \`Esc\` | leave a field, list or button |
${BEFORE_PANELS.map(row).join('\n')}
${panels.join('\n')}
${AFTER_PANELS.map(row).join('\n')}

## What you type runs no command

- While the focus is in a text field or in the editor, only ${written(SEND_KEYS)} and \`Esc\` work.
- Keys without Ctrl or ⌘ work only if you put the focus on the message log or on the page itself: by a click, by Tab or by \`Esc\`.
- If mcp-inspect moves the focus, for example because a field is gone, they do nothing for a second, and then until you put the focus there.
- No single key writes a file, sends a message or changes the server.
- A key that is held down presses a button once. The key that called a tool does not answer the question that follows.
- All keys with single letters can be turned off in the [settings](settings.md).

## Changed keys

These letters ran commands that write, send or change something. Pressing one says once what to use now. The palette has all of these commands.

| old key | what it did | now |
|---|---|---|
${OLD_KEYS.map(({ keys, did, now, button }) => `| \`${keys}\` | ${did} | ${now === undefined ? '' : `${written(now)}, `}*${button}* |`).join('\n')}
`;
}

/** Returns keys as people write them: \`⌘K\` or \`Ctrl+K\`. */
function written(keys: string): string {
  const parts = keys.split('+').slice(1);
  const words = parts.map((part) => (part.length === 1 ? part.toUpperCase() : part[0]!.toUpperCase() + part.slice(1)));
  const ctrl = `\`${['Ctrl', ...words].join('+')}\``;
  if (!keys.startsWith('mod+')) return ctrl;
  const glyphs = words.map((word) => (word === 'Enter' ? '↵' : word === 'Shift' ? '⇧' : word));
  return `\`⌘${glyphs.join('')}\` or ${ctrl}`;
}
