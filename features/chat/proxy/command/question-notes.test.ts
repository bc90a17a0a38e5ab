import { expect, test } from 'vitest';
import { questionNotes } from './question-notes';

const asking = (method: string) => Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method }));

test('a server that samples without answers is named once', () => {
  const notes: string[] = [];
  const listen = questionNotes(undefined, (line) => notes.push(line));
  for (let time = 0; time < 2; time++) listen('notes', asking('sampling/createMessage'));
  listen('notes', Buffer.from(JSON.stringify({ text: 'a "sampling/createMessage" in a text' })));
  expect(notes).toEqual([
    'mcp-inspect: notes asked for sampling/createMessage, which nobody answers here. Give answers with `--answers FILE`.',
  ]);
});

test('a question that has answers, or is declared, needs no note', () => {
  const notes: string[] = [];
  const client = {
    profile: { capabilities: { elicitation: {} } },
    isExact: false,
    answers: new Map([['sampling/createMessage' as const, () => '{}']]),
  };
  const listen = questionNotes(client, (line) => notes.push(line));
  listen('notes', asking('sampling/createMessage'));
  listen('notes', asking('elicitation/create'));
  expect(notes).toEqual([]);
});
