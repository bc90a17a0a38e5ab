import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { TerminalLines } from './terminal-lines';

function terminal() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const onEnter = vi.fn();
  const lines = new TerminalLines(output);
  lines.read(input, onEnter);
  const printed = (): string => String(output.read() ?? '');
  return { input, printed, onEnter, lines };
}

test.each([
  ['y\n', true],
  ['Y\r\n', true],
  [' yes \n', true],
  ['\n', false],
  ['n\n', false],
  ['yy\n', false],
  ['y\ny\n', false],
  ['yes please\n', false],
])('%j means %j', async (typed, yes) => {
  const { input, lines, printed, onEnter } = terminal();
  const answer = lines.ask('Start it? ');
  expect(printed()).toBe('Start it? ');
  input.write(typed);
  expect(await answer).toBe(yes);
  expect(onEnter).not.toHaveBeenCalled();
});

test('without a question, Enter is for the caller', async () => {
  const { input, onEnter } = terminal();
  input.write('y\n');
  await vi.waitFor(() => expect(onEnter).toHaveBeenCalledOnce());
});

test('asks one question at a time', async () => {
  const { input, lines, printed } = terminal();
  const [first, second] = [lines.ask('one? '), lines.ask('two? ')];
  expect(printed()).toBe('one? ');
  input.write('y\n');
  expect(await first).toBe(true);
  expect(printed()).toBe('two? ');
  input.write('\n');
  expect(await second).toBe(false);
});

test('the end of the input refuses what waits, and what is asked later', async () => {
  const { input, lines } = terminal();
  const waiting = lines.ask('one? ');
  input.end();
  expect(await waiting).toBe(false);
  expect(await lines.ask('two? ')).toBe(false);
});
