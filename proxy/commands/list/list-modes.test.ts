import { expect, test } from 'vitest';
import { EXIT } from '@/proxy/cli/exit-code';
import { runAnswered as run } from '../headless/test-answers';
import { keptOutput } from '../headless/test-connection';
import { prepareAction } from '../test-command-line';

test('follows the changes of all lists, or of one', async () => {
  const answers = { 'subscriptions/listen': '{"resultType":"complete"}' };
  const all = await run(['list', '--follow'], answers);
  expect(all.asked).toEqual([
    [
      'subscriptions/listen',
      '{"notifications":{"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true}}',
    ],
  ]);
  const { asked } = await run(['list', 'tools', '--follow'], answers);
  expect(asked).toEqual([['subscriptions/listen', '{"notifications":{"toolsListChanged":true}}']]);
  expect(await printedBy(['list', '--follow'])).toEqual(['tools/list_changed', 'prompts/list_changed', 'message']);
  expect(await printedBy(['list', 'tools', '--follow'])).toEqual(['tools/list_changed']);
});

/** Returns which notifications of a legacy server `list --follow` prints. */
async function printedBy(argv: readonly string[]): Promise<readonly string[]> {
  const action = await prepareAction(...argv, '--demo');
  const out = keptOutput();
  const untilStopped = async (): Promise<void> => {
    for (const [index, method] of ['tools/list_changed', 'prompts/list_changed', 'message'].entries()) {
      const text = JSON.stringify({ jsonrpc: '2.0', method: `notifications/${method}` });
      const bytes = new TextEncoder().encode(text);
      const frame = { seq: index + 1, time: 0, flags: 0, channel: 'protocol', direction: 'to-client', bytes } as const;
      action.connect!.onFrame!(frame);
    }
  };
  const server = { connection: { untilStopped }, negotiated: { era: 'legacy' }, out };
  expect(await action(server as unknown as Parameters<typeof action>[0])).toBe(EXIT.interrupted);
  return out.stdout.map((line) => JSON.parse(line).method.replace('notifications/', ''));
}

test.each([
  [['list', 'tool'], 'Can’t list `tool`: did you mean `tools`?'],
  [['list', 'skills', '--follow'], 'No server reports changes of its skills'],
  [['list', '--fields'], 'write `list tools --fields`'],
  [['list', 'prompts', '--fields'], 'write `list tools --fields`'],
  [['list', '--follow', '--all'], '`--follow` and `--all` exclude each other'],
  [['list', 'tools', '--follow', '--fields'], '`--follow` and `--fields` exclude each other'],
  [['list', '--all', '--config', 'c', '--record', 'a.mcpr.jsonl'], '`--all` connects several times: remove `--record`'],
  [['list', '--by-capability', '--to', 's3://b'], '`--by-capability` connects several times: remove `--to`'],
  [['list', 'skills', '--by-capability'], 'compares tools, resources, templates, prompts'],
  [['list', '--by-capability', '--protocol', 'none'], '`--by-capability` needs the handshake'],
  [['list', '--follow', '--protocol', 'none'], '`--follow` needs the handshake'],
])('%j is a usage error', async (argv, sentence) => {
  await expect(prepareAction(...argv, '--demo')).rejects.toThrow(sentence);
});

test('lists skills and apps', async () => {
  const skills = { 'skills/list': '{"skills":[{"uri":"skill://git/SKILL.md","frontmatter":{"name":"git"}}]}' };
  const extensions = { 'io.modelcontextprotocol/skills': {} };
  const alone = await run(['list', 'skills'], skills, { extensions });
  expect(alone.stdout[0]).toMatch(/^NAME +URI .+\ngit +skill:\/\/git\/SKILL\.md/);
  expect([alone.code, alone.notes[0]]).toEqual([EXIT.serverError, expect.stringContaining('Skill git:')]);
  const whole = await run(['list'], { ...skills, 'tools/list': '{"tools":[]}' }, { tools: {}, extensions });
  expect(whole.stdout).toEqual(['tools (0)', '', 'skills (1)', expect.stringContaining('git'), '']);
  const app = { name: 't', _meta: { ui: { resourceUri: 'ui://a' } } };
  const page = { contents: [{ uri: 'ui://a', mimeType: 'text/html;profile=mcp-app', text: '<p>hi</p>' }] };
  const answers = { 'tools/list': JSON.stringify({ tools: [app] }), 'resources/read': JSON.stringify(page) };
  const apps = await run(['list', 'apps', '--json'], answers);
  expect([JSON.parse(apps.stdout[0]!), apps.code]).toMatchObject([[{ tool: 't', uri: 'ui://a', problems: [] }], 0]);
});
