import { expect, test } from 'vitest';
import { formatDate } from '@/lib/wire/format';
import { sideTitle } from './comparison';

const AT = '2026-01-01T12:00:00.000Z';
const WHEN = formatDate(AT);
const ended = { name: 'server.mjs', recording: undefined, state: 'closed', startedAt: AT } as const;
const recorded = { ...ended, recording: { file: 'a.mcpr.jsonl', by: '' } };

test.each([
  [{ ...ended, state: 'open' } as const, '', 'Lighthouse', `Lighthouse · live since ${WHEN}`],
  [{ ...ended, run: 2 }, '', 'Lighthouse', `Lighthouse · run 2 · ended, started ${WHEN}`],
  [ended, '', undefined, `server.mjs · ended, started ${WHEN}`],
  [recorded, 'Before the fix', 'Lighthouse', `Before the fix · Lighthouse · recorded ${WHEN}`],
  [recorded, 'Lighthouse', 'Lighthouse', `Lighthouse · recorded ${WHEN}`],
  [{ ...recorded, startedAt: '' }, '', 'a\u202eb', 'a\\u202eb · recorded'],
])('%#: a title names the recording, the server, its state and its start', (connection, given, server, title) => {
  expect(sideTitle(connection, given, server)).toBe(title);
});
