import { expect, test } from 'vitest';
import { draftOfKept, keptDraft } from './kept-draft';
import { EMPTY_DRAFT, type ServerDraft, withText } from './server-draft';

/** Returns the draft that a reload leaves of a draft. */
function reloaded(draft: ServerDraft): ServerDraft {
  return draftOfKept(JSON.parse(JSON.stringify(keptDraft(draft))));
}

const typed = (text: string, more: Partial<ServerDraft> = {}) => ({ ...withText(EMPTY_DRAFT, text), ...more });

test('a draft without secrets survives a reload as it was', () => {
  for (const text of [
    'node server.js --port 3000',
    'npx -y @scope/server-everything',
    'https://example.com/mcp?v=2',
    '{"a',
  ]) {
    const draft = typed(text, { cwd: '/srv', protocol: '2025-06-18', via: 'direct' });
    expect(reloaded(draft)).toEqual(draft);
  }
});

test('values, tokens, the client secret and answers are lost, and the draft says so', () => {
  const draft = typed('https://example.com/mcp', {
    environment: [{ id: 1, name: 'X-Team', value: 'v-header', origin: 'hand' }],
    bearer: 'v-bearer',
    client: { ...EMPTY_DRAFT.client, clientId: 'mine', clientSecret: 'v-client' },
    answers: new Map([['pin', 'v-answer']]),
  });
  expect(JSON.stringify(keptDraft(draft))).not.toMatch(/v-(?:header|bearer|client|answer)/);
  const after = reloaded(draft);
  expect(after).toMatchObject({ text: draft.text, lost: 'values', client: { clientId: 'mine' } });
  expect(after.environment).toEqual([{ id: 1, name: 'X-Team', value: '', origin: 'hand' }]);
  expect(reloaded(after).lost).toBe('values');
});

test.each([
  'node server.js --api-key abc',
  'API=abc node server.js',
  'node server.js ghp_x7Tq2LmZ9vKdR4sWbN8yHc3JfPg6UeA1oXiQ',
  'https://user:abc@example.com/mcp',
  'https://example.com/mcp?token=abc',
  '{"mcpServers":{"a":{"command":"node","env":{"PLAIN":"abc"}}}}',
  '{"mcpServers":{"a":{"url":"https://example.com","headers":{"X-A":"abc"}}}}',
  '{"mcpServers":{"a":{"command":"node","env":{"API_KEY":"ab',
])('a text that may have a secret is not kept: %s', (text) => {
  const kept = JSON.stringify(keptDraft(typed(text)));
  expect(kept).not.toMatch(/abc|ghp_|"ab/);
  expect(JSON.parse(kept)).toMatchObject({ text: '', lost: 'text' });
});

test('a server whose arguments have a secret is not kept, whatever was typed since', () => {
  const base = {
    id: 's1',
    target: { transport: 'stdio', command: 'node', args: ['s.js', '--token', 'abc'] } as const,
    ...({ envNames: [], policy: 'allowlist', placeholders: [], protocol: 'auto' } as const),
  };
  expect(JSON.stringify(keptDraft(typed('node s.js', { base })))).not.toContain('abc');
});

test('client settings with a name that looks secret are lost', () => {
  const profile = { ...EMPTY_DRAFT.profile, meta: '{"token":"abc"}' };
  expect(JSON.stringify(keptDraft(typed('node s.js', { profile })))).not.toContain('abc');
  const plain = { ...EMPTY_DRAFT.profile, meta: '{"team":"abc"}' };
  expect(reloaded(typed('node s.js', { profile: plain })).profile).toEqual(plain);
});
