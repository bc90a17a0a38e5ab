import { expect, test } from 'vitest';
import type { ShareDecision } from '@/lib/redact/rules';
import { ShareReview } from '@/lib/redact/share-review';
import { plantedFrame } from '@/lib/redact/test-plant';
import type { PersonalDetail } from '@/lib/sharing/personal-details';
import { decideRows, type FindingGroup, groupFindings, isRowMasked, linesOf, searchGroups } from './finding-groups';

const DETAILS: readonly PersonalDetail[] = [
  { id: 'fact:1:cwd', kind: 'cwd', what: 'the working folder', value: '/srv/acme', seq: 1 },
  { id: 'fact:9:note', kind: 'note', what: 'a note', value: 'ask Bo', seq: 9 },
  { id: 'fact:12:note', kind: 'note', what: 'a note', value: 'ask Al', seq: 12 },
];

function groups(): readonly FindingGroup[] {
  const review = new ShareReview();
  const said = [
    '{"password":"hunter2hunter2"}',
    '{"password":"another-1-password"}',
    'key [redacted:github:0123abcd] and Zx9kQ2vLm4Tn8RwB',
  ];
  for (const [at, text] of said.entries()) review.addFrame({ ...plantedFrame(text), seq: at + 1 });
  return groupFindings(review.findings(), DETAILS);
}

const none: ReadonlyMap<string, ShareDecision> = new Map();
const titled = (all: readonly FindingGroup[], title: string) => all.find((group) => group.title === title)!;
const maskedIn = (group: FindingGroup, decisions = none) => group.rows.map((row) => isRowMasked(group, row, decisions));

test('groups by kind: secrets by certainty, details, values masked before', () => {
  expect(groups().map(({ title, total }) => [title, total])).toEqual([
    ['Password', 2],
    ['Random-looking text', 1],
    ['Working folder', 1],
    ['Note', 2],
    ['Masked while recording', 1],
  ]);
});

test('secrets are masked by default, random-looking text and details are not', () => {
  expect(groups().map((group) => maskedIn(group))).toEqual([[true, true], [false], [false], [false, false], [true]]);
});

test.each<[string, readonly (readonly [string, number, number])[]]>([
  ['hunter', []],
  ['hu…r2', [['Password', 1, 2]]],
  ['#2', [['Password', 1, 2]]],
  ['PASSWORD', [['Password', 2, 2]]],
  ['ask a', [['Note', 1, 2]]],
  [' a note ', [['Note', 2, 2]]],
])('a search for %j finds rows of some groups', (text, expected) => {
  expect(searchGroups(groups(), text).map(({ title, rows, total }) => [title, rows.length, total])).toEqual(expected);
});

test('a group’s checkbox applies to every row, and masking to values without a row', () => {
  const all = groups();
  const notes = titled(all, 'Note');
  const masked = decideRows(none, notes, notes.rows, 'mask');
  expect(maskedIn(notes, masked)).toEqual([true, true]);
  expect(masked.get(notes.key)).toBe('mask');
  const kept = decideRows(masked, notes, notes.rows, 'keep');
  expect(maskedIn(notes, kept)).toEqual([false, false]);
  expect(kept.has(notes.key)).toBe(false);
  const passwords = titled(all, 'Password');
  // A password that is found later is masked as well.
  expect([...decideRows(none, passwords, passwords.rows, 'keep').keys()]).toEqual(passwords.rows.map(({ id }) => id));
});

test('a single decision wins over that of its group', () => {
  const notes = titled(groups(), 'Note');
  const masked = decideRows(none, notes, notes.rows, 'mask');
  expect(maskedIn(notes, decideRows(masked, notes, [notes.rows[1]!], 'keep'))).toEqual([true, false]);
});

test('in a search, the checkbox applies to what was found', () => {
  const [found] = searchGroups(groups(), 'ask bo');
  const decisions = decideRows(none, found!, found!.rows, 'mask');
  expect([...decisions]).toEqual([['fact:9:note', 'mask']]);
});

test('lists the rows of open groups', () => {
  const lines = linesOf(groups(), (key) => key === 'fact:note');
  expect(lines.map(({ group, row }) => row?.value ?? group.title)).toEqual([
    'Password',
    'Random-looking text',
    'Working folder',
    'Note',
    'ask Bo',
    'ask Al',
    'Masked while recording',
  ]);
});
