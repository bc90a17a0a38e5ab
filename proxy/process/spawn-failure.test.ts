import { expect, test } from 'vitest';
import { explainSpawnError } from './spawn-failure';

const notFound = Object.assign(new Error(), { code: 'ENOENT' });
const explain = (command: string, args: readonly string[] = []) =>
  explainSpawnError(notFound, { command, args, cwd: '/', env: { NODE_ENV: 'test' } }, (path) =>
    path === '/' ? 'directory' : path === '/bin/python3' ? 'executable' : 'nothing',
  );

test.each([
  ['python3 print.py', [], 'Remove the quotes: `python3 print.py`.'],
  ['python3 -u', ['print.py'], 'Remove the quotes: `python3 -u …`.'],
  ['/bin/python3 print.py', [], 'Remove the quotes: `/bin/python3 print.py`.'],
])('%j came as one word', (command, args, advice) => {
  expect(explain(command, args)).toEqual({
    code: 'command-not-found',
    message: `\`${command}\` came as one word, so it was looked up as one program name.`,
    advice: expect.stringContaining(advice),
  });
});

test.each(['python3', '/no such/program', ' python3 '])('%j is a program that is not there', (command) => {
  expect(explain(command).message).toBe(`The command ${command} was not found.`);
});
