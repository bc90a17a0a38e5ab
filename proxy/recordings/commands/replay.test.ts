import { expect, test } from 'vitest';
import { EXIT, Stop } from '../../cli/exit-code';
import { findFileSubcommand } from '../../cli/file-subcommands';
import { parseFileRequest } from '../file-request';
import { replay } from './replay';

test.each<[string[], string]>([
  [['/nowhere'], 'There is no such file: check the path after `replay`.'],
  [['a', '--on-miss', 'guess'], 'choose from error, forward, empty.'],
  [['a', '--pace', '4'], 'write `instant`, `real`, or `x4`'],
  [['a', '--port', '70000'], 'give a whole number from 0 to 65535'],
  [['a', '--on-miss', 'forward'], 'needs a server: write `-- command args…`'],
  [['a', '--on-miss', 'forward', '--', 'ftp://x/'], 'is not a http or https URL'],
  [['a', '--', 'node', 'server.js'], 'is the server for `--on-miss forward`'],
])('%j is refused', async (argv, sentence) => {
  const request = parseFileRequest(findFileSubcommand(['replay', ...argv])!);
  if (request === 'help') throw new Error('it asks for help');
  const run = { request, version: '1', home: '', say: () => {}, print: () => {}, note: () => {} };
  const failure = await replay(run).catch((error) => error);
  expect(failure).toBeInstanceOf(Stop);
  expect(failure.exitCode).toBe(EXIT.usage);
  expect(failure.message).toContain(sentence);
});
