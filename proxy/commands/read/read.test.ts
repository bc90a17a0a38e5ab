import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { EXIT } from '@/proxy/cli/exit-code';
import type { ServerAnswer } from '../headless/server-connection';
import { runAnswered as run } from '../headless/test-answers';
import { prepareAction } from '../test-command-line';

test('says that a resource is not listed only if the server does not have it', async () => {
  const error: ServerAnswer = { kind: 'error', error: { code: -32002, message: 'No such resource' } };
  const lists = {
    'resources/list': '{"resources":[{"uri":"notes://one"}]}',
    'resources/templates/list': '{"resourceTemplates":[{"uriTemplate":"users://{id}/name"}]}',
  };
  const read = (uri: string, answer: string | ServerAnswer) =>
    run(['read', uri], { ...lists, 'resources/read': answer });
  await expect(read('notes://on', error)).rejects.toThrow('no resource `notes://on`: did you mean `notes://one`?');
  await expect(read('users://7', error)).rejects.toThrow('It has `notes://one`.');
  for (const uri of ['notes://one', 'users://7/name']) await expect(read(uri, error)).rejects.toThrow(/resource$/);
  const empty = await read('notes://on', '{"contents":[]}');
  expect(empty.notes).toEqual([expect.stringContaining('did you mean `notes://one`?')]);
  const hidden = await read('notes://on', '{"contents":[{"uri":"notes://on","text":"x"}]}');
  expect([hidden.stdout, hidden.notes, hidden.asked.length]).toEqual([['x'], [], 1]);
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
      ...['skills/get', 'resources/read'],
    ]);
    const file = await run(['read', `${word}/SKILL.md`], answers);
    expect([file.stdout, file.code]).toEqual([[text.trimEnd()], EXIT.fine]);
  }
  const wrong = { ...answers, 'resources/read': JSON.stringify({ contents: [{ uri, text: text.replace('C', 'c') }] }) };
  await expect(run(['read', 'skill:git/SKILL.md'], wrong)).rejects.toThrow('failed its checks, so it is not printed');
  await expect(run(['read', 'skill:gti'], answers)).rejects.toThrow('no skill `gti`: did you mean `git`?');
  await expect(prepareAction('read', 'skill:', '--demo')).rejects.toThrow('`skill:` needs a name');
  await expect(prepareAction('read', 'skill:git', '--follow', '--demo')).rejects.toThrow('needs the URI of a resource');
  // A resource whose URI begins like that.
  expect((await run(['read', uri], answers)).asked).toEqual([['resources/read', JSON.stringify({ uri })]]);
});
