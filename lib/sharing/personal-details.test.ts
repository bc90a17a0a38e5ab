import { expect, test } from 'vitest';
import { plantedFrame } from '@/lib/redact/test-plant';
import { droppedDetails, personalDetails, withoutDetails } from './personal-details';

const START = {
  event: 'start',
  at: '2026-01-01T00:00:00.000Z',
  name: 'x',
  transport: 'stdio',
  command: 'node',
  args: [],
  cwd: '/srv/acme',
  protocol: 'auto',
  environment: { policy: 'shell', inherited: ['PATH'], added: ['ACME'] },
};

test.each<[object, readonly (readonly [string, string])[]]>([
  [
    START,
    [
      ['the working folder', '/srv/acme'],
      ['the names of 2 environment variables', 'PATH, ACME'],
    ],
  ],
  [{ event: 'about', name: '', text: 'ask Bo' }, [['the note on the recording', 'ask Bo']]],
  [{ event: 'note', on: 1, text: 'here', bookmark: false }, [['a note', 'here']]],
  [{ ...START, cwd: 7, environment: 'x' }, []],
  [{ event: 'closed' }, []],
])('%j', (event, facts) => {
  const found = personalDetails({ ...plantedFrame(JSON.stringify(event), 'lifecycle'), seq: 4 });
  const kind = expect.any(String);
  expect(found).toEqual(
    facts.map(([what, value]) => ({ id: expect.stringMatching(/^fact:4:/), kind, what, value, seq: 4 })),
  );
});

test.each<[string, object, object | undefined]>([
  ['cwd', START, { ...START, cwd: '•••' }],
  ['environment', START, { ...START, environment: { policy: 'shell', inherited: [], added: [] } }],
  ['about', { event: 'about', name: 'x', text: 'ask Bo' }, { event: 'about', name: 'x', text: '' }],
  ['name', { event: 'about', name: 'x', text: 'ask Bo' }, { event: 'about', name: '', text: 'ask Bo' }],
  ['note', { event: 'note', on: 1, text: 'here', bookmark: false }, undefined],
])('without %s', (kind, event, left) => {
  const frame = { ...plantedFrame(JSON.stringify(event), 'lifecycle'), seq: 4 };
  const bytes = withoutDetails(frame, new Set([`fact:4:${kind}`, 'fact:5:note']));
  expect(bytes && JSON.parse(new TextDecoder().decode(bytes))).toEqual(left);
  expect(withoutDetails(frame, new Set([`fact:3:${kind}`]))).toBe(frame.bytes);
});

test('a decision about a kind applies to details that are not listed, unless one of them is kept', () => {
  const note = (seq: number) => ({
    ...plantedFrame(`{"event":"note","on":1,"text":"note ${seq}","bookmark":false}`, 'lifecycle'),
    seq,
  });
  const facts = [4, 5].flatMap((seq) => personalDetails(note(seq)));
  const all = droppedDetails(facts, new Map([['fact:note', 'mask']]));
  expect([4, 5, 6].map((seq) => withoutDetails(note(seq), all))).toEqual([undefined, undefined, undefined]);
  const some = droppedDetails(
    facts,
    new Map([
      ['fact:note', 'mask'],
      ['fact:4:note', 'keep'],
    ]),
  );
  expect([4, 5, 6].map((seq) => withoutDetails(note(seq), some) !== undefined)).toEqual([true, false, true]);
});
