import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  ARGUMENT_NAME_LIMITS,
  LIMITED_HOSTS,
  TOOL_COUNT_LIMITS,
  TOOL_NAME_LIMITS,
  TOP_LEVEL_LIMITS,
} from './host-limits';

const ROWS = [
  ...TOOL_NAME_LIMITS.map(({ accepts, ...limit }) => ({ ...limit, what: 'name of a tool', most: accepts })),
  ...ARGUMENT_NAME_LIMITS.map(({ accepts, ...limit }) => ({ ...limit, what: 'name of an argument', most: accepts })),
  ...TOP_LEVEL_LIMITS.map(({ keywords, ...limit }) => ({
    ...limit,
    what: 'top level of a schema',
    most: `no ${keywords.join(', ')}`,
  })),
  ...TOOL_COUNT_LIMITS.map(({ most, ...limit }) => ({ ...limit, what: 'tools of all servers', most: `${most}` })),
];

test('docs/host-limits.md lists every limit with its date and source', async () => {
  const table = ROWS.map(
    ({ host, names, what, most, on, source }) =>
      `| ${host} | ${names.map((name) => `\`${name}\``).join(', ')} | ${what} | ${most} | ${on} | ${source} |`,
  );
  const page = [
    '# Limits of hosts',
    '',
    '<!-- Written by features/check/lib/host-limits.test.ts. -->',
    '',
    '[`check`](check.md) warns about definitions that these hosts, or the APIs behind them, refuse. Hosts change, so each limit has',
    'the date of its source, or the day it was read if it has none.',
    '',
    `[\`hosts\`](check.md#hosts) of the settings chooses hosts by name: ${LIMITED_HOSTS.map((name) => `\`${name}\``).join(', ')}.`,
    'Add `claude-api` or `openai-api` for another host that uses such models.',
    '',
    '| host | names | of | takes | on | source |',
    '|---|---|---|---|---|---|',
    ...table,
    '',
  ].join('\n');
  await expect(page).toMatchFileSnapshot(join(import.meta.dirname, '../../../docs/host-limits.md'));
});

test.each(ROWS)('$host, $what: has a date and an https source', ({ on, source }) => {
  expect(on).toMatch(/^20\d\d-\d\d-\d\d$/);
  expect(source).toMatch(/^https:\/\//);
});
