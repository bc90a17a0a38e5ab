import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { EXIT } from '@/proxy/cli/exit-code';
import type { ServerAnswer } from '../headless/server-connection';
import { runAnswered as run } from '../headless/test-answers';
import { prepareAction } from '../test-command-line';
import { requireShape } from '../test-output-shape';

describe('a resource', () => {
  const READ = '{"contents":[{"uri":"x:y","text":"text"}]}';
  const NONE = { 'resources/list': '{"resources":[]}', 'resources/templates/list': '{"resourceTemplates":[]}' };
  const ONE = {
    'resources/list': '{"resources":[{"uri":"notes://one"}]}',
    'resources/templates/list': '{"resourceTemplates":[{"uriTemplate":"users://{id}/name"}]}',
  };
  const read = (
    words: readonly string[],
    lists: Record<string, string | ServerAnswer>,
    answer: string | ServerAnswer = READ,
    capabilities = { resources: {} },
  ) => run(['read', ...words], { ...lists, 'resources/read': answer }, capabilities);

  test('that the server neither lists nor has a template for is not read', async () => {
    for (const words of [['notes://on'], ['notes://on', '--follow'], ['notes://on', '--complete', 'a=b']]) {
      const done = read(words, ONE);
      await expect(done).rejects.toMatchObject({ exitCode: EXIT.usage });
      await expect(done).rejects.toThrow(
        'no resource `notes://on`: did you mean `notes://one`? It has `notes://one`, `users://{id}/name`. `--capabilities all`',
      );
    }
  });

  test.each([
    ['is listed', 'notes://one', ONE],
    ['fits a template', 'users://7/name', ONE],
    ['is of a server that lists none', 'x:y', NONE],
    ['is of a server whose lists can’t be read', 'x:y', {}],
    ['is named by a tool', 'ui://app', ONE],
    ['is named by a skill', 'skill://git/notes.txt', ONE],
  ])('that %s is read', async (_what, uri, lists) => {
    const { stdout, asked, code } = await read([uri], lists);
    expect([stdout, asked.at(-1), code]).toEqual([['text'], ['resources/read', JSON.stringify({ uri })], EXIT.fine]);
  });

  test('is read by itself from a server that does not declare resources', async () => {
    const { asked } = await run(['read', 'x:y'], { ...ONE, 'resources/read': READ });
    expect(asked.map(([method]) => method)).toEqual(['resources/read']);
  });

  test('that is not found is said not to be listed, if the server lists none', async () => {
    const error: ServerAnswer = { kind: 'error', error: { code: -32002, message: 'No such resource' } };
    await expect(read(['x:y'], NONE, error)).rejects.toThrow('resource. The server lists no resources, so no `x:y`.');
    await expect(read(['notes://one'], ONE, error)).rejects.toThrow(/resource$/);
    const { notes } = await read(['x:y'], NONE, '{"contents":[]}');
    expect(notes).toEqual([expect.stringContaining('lists no resources')]);
  });
});

test('reads a skill by name or URI, and a file of it', async () => {
  const text = '---\nname: git\ndescription: Commits.\n---\n';
  const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`;
  const uri = 'skill://git/SKILL.md';
  const entry = {
    uri,
    frontmatter: { name: 'git', description: 'Commits.' },
    resources: [{ uri, digest, size: text.length }],
  };
  const answers = {
    'skills/list': JSON.stringify({ skills: [entry] }),
    'skills/get': JSON.stringify({ skill: entry }),
    'resources/read': JSON.stringify({ contents: [{ uri, text }] }),
  };
  for (const word of ['skill:git', `skill:${uri}`]) {
    const { stdout, code, asked } = await run(['read', word], answers);
    expect([stdout.join('\n'), code]).toEqual([expect.stringMatching(/SKILL\.md .+verified/), EXIT.fine]);
    expect(asked.map(([method]) => method)).toEqual([
      ...(word === 'skill:git' ? ['skills/list'] : []),
      'skills/get',
      'resources/read',
    ]);
    const file = await run(['read', `${word}/SKILL.md`], answers);
    expect([file.stdout, file.code]).toEqual([[text.trimEnd()], EXIT.fine]);
    for (const what of [word, `${word}/SKILL.md`])
      requireShape('skill', (await run(['read', what, '--json'], answers)).stdout[0]!);
  }
  const wrong = { ...answers, 'resources/read': JSON.stringify({ contents: [{ uri, text: text.replace('C', 'c') }] }) };
  await expect(run(['read', 'skill:git/SKILL.md'], wrong)).rejects.toThrow('failed its checks, so it is not printed');
  await expect(run(['read', 'skill:gti'], answers)).rejects.toThrow('no skill `gti`: did you mean `git`?');
  await expect(prepareAction('read', 'skill:', '--demo')).rejects.toThrow('`skill:` needs a name');
  await expect(prepareAction('read', 'skill:git', '--follow', '--demo')).rejects.toThrow('needs the URI of a resource');
  // A resource whose URI begins like that.
  expect((await run(['read', uri], answers)).asked).toEqual([['resources/read', JSON.stringify({ uri })]]);
});
