import { expect, test } from 'vitest';
import { openSession } from '@/lib/session/open-session';
import { replayNotes } from './replay-notes';

const HEAD = '{"mcpr":1,"id":"12345678","at":"2026-01-31T12:00:00.000Z","name":"demo","transport":"stdio"}';
const ASKED = '{"n":1,"t":5,"c":"protocol","d":">","m":{"jsonrpc":"2.0","id":1,"method":"initialize"}}';
const GOT =
  '{"n":2,"t":6,"c":"protocol","d":"<","m":{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","a":"•••"}}}';

const notesOf = async (...lines: string[]) => replayNotes(await openSession(new Blob([lines.join('\n')]).stream()));

test('what is special about a recording is told', async () => {
  expect(await notesOf(HEAD, ASKED, GOT, '{"k":"end","t":7,"frames":2,"sha256":""}', '')).toEqual([
    'Replaying demo, 2025-11-25, recorded 2026-01-31T12:00:00.000Z: 1 request.',
    'Secrets were taken out of it: its client gets placeholders in their place.',
  ]);
  expect(
    await notesOf(HEAD.replace('1', '9'), 'junk', ASKED.replace('1', '4'), GOT.replace('2', '6'), '{"n":'),
  ).toEqual([
    expect.stringContaining('1 request.'),
    'A newer mcp-inspect made this recording; what this one does not know of is left out.',
    'Damaged lines, which are left out: 1.',
    'Missing frames: 3.',
    'The recording is incomplete: its last line was cut off.',
    expect.stringContaining('Secrets'),
  ]);
});
