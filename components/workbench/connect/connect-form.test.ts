import { expect, test } from 'vitest';
import { shellSyntaxIn } from './connect-form';

test.each([
  ['cd srv && node server.js', ['cd', '&&']],
  ['node server.js | tee log', ['|']],
  ['node server.js 2> err.txt', ['2>']],
  ['node server.js 2>&1', ['2>&1']],
  ['export KEY=1; node x.js', ['export', ';']],
  ['node $HOME/x.js', ['$HOME']],
  ['node "${HOME}/x.js"', ['${HOME}']],
  ['node `which x` $(which y)', ['$(', '`']],
  ['~/bin/server --flag', ['~']],
])('finds shell syntax in %j', (text, words) => expect(shellSyntaxIn(text)).toEqual(words));

test.each([
  '',
  'node server.js --a=b',
  "node x.js 'a $HOME;b' '&&'",
  'node x.js "a && b | c"',
  'node x.js \\$HOME',
  'node fetch.js http://h/?a=1&b=2',
  '$ node server.js',
  'npx -y x cd y',
  '{"command":"a","args":["$HOME"]}',
  '"name": {"command": "$HOME"}',
  'https://h/?a=$b',
])('finds no shell syntax in %j', (text) => expect(shellSyntaxIn(text)).toEqual([]));
