import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { ReportAnswer } from '@/features/team/lib/summary/questions/report';
import { AnswerTable } from './answer-table';

const HOSTILE = '<img src=x onerror=alert(1)>\u202e\u0000"';

const ANSWER: ReportAnswer = {
  id: 'slowest-tools',
  title: 'Slowest tools',
  about: 'Time from call to answer.',
  empty: 'No tool was called',
  columns: [{ title: 'Tool' }, { title: 'Server' }, { title: 'Calls', isNumber: true }],
  basis: `${HOSTILE}: 1 call`,
  rows: [
    {
      cells: [HOSTILE, HOSTILE, '1'],
      facts: {},
      tone: 'unsure',
      sources: [{ place: HOSTILE, at: '', frame: 3, what: 'slowest call' }],
      recordings: 1,
    },
  ],
  rowsLeftOut: 2,
};
const drawn = (answer: ReportAnswer) => renderToStaticMarkup(<AnswerTable answer={answer} onOpen={() => {}} />);

test('attack: names and errors in the report of the page stay visible text', () => {
  const markup = drawn(ANSWER);
  expect(markup).not.toContain('<img');
  for (const hidden of ['\u202e', '\u0000']) expect(markup).not.toContain(hidden);
  expect(markup).toContain('&lt;img src=x onerror=alert(1)&gt;\\u202e\\x00');
});

test('says what is left out, and what an answer without rows means', () => {
  expect(drawn(ANSWER)).toContain('2 more rows');
  const empty = drawn({ ...ANSWER, rows: [], rowsLeftOut: 0 });
  expect(empty).toContain('No tool was called');
  expect(empty).not.toContain('<table');
});

test('says how many recordings of a row its menu opens', () => {
  const [row] = ANSWER.rows;
  expect(drawn({ ...ANSWER, rows: [{ ...row!, recordings: 7 }] })).toContain('>1 of 7 recordings<');
  expect(drawn(ANSWER)).toContain('>1 recording<');
});
