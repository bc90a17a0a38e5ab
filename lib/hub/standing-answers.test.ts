import { describe, expect, test } from 'vitest';
import { STANDING_ANSWER_CHARS, STANDING_ANSWERS, STANDING_USES } from '@/lib/wire/standing-answers';
import { MemoryStanding, StandingAnswers } from './standing-answers';

const METHOD = 'elicitation/create';
const form = (name: string) => ({
  message: 'Sure?',
  requestedSchema: { type: 'object', properties: { [name]: { type: 'string' } } },
});
const ACCEPT = { result: '{"action":"accept"}' };
const DECLINE = { result: '{"action":"decline"}' };

function answersOf(server: string, store = new MemoryStanding()): StandingAnswers {
  return new StandingAnswers({ store, server, title: server, hasSecrets: (text) => text.includes('hunter2') });
}

describe('a standing answer', () => {
  test('is used for the same server and schema only', async () => {
    const store = new MemoryStanding();
    const mine = answersOf('mine', store);
    await mine.add(METHOD, form('a'), ACCEPT);
    expect(mine.use(METHOD, { ...form('a'), message: 'Really?' })).toEqual(ACCEPT);
    expect(mine.use(METHOD, form('b'))).toBeUndefined();
    expect(mine.use(METHOD, { ...form('a'), mode: 'url' })).toBeUndefined();
    expect(answersOf('other', store).use(METHOD, form('a'))).toBeUndefined();
  });

  test('replaces an earlier one to the same question, and can be paused and deleted', async () => {
    const answers = answersOf('s');
    await answers.add(METHOD, form('a'), ACCEPT);
    await answers.add(METHOD, form('a'), DECLINE);
    expect(answers.list().answers).toMatchObject([{ id: '2', about: 'Sure?', answer: DECLINE }]);
    await answers.change({ id: '2', kind: 'pause', paused: true });
    expect(answers.use(METHOD, form('a'))).toBeUndefined();
    await answers.change({ id: '2', kind: 'pause', paused: false });
    expect(answers.use(METHOD, form('a'))).toEqual(DECLINE);
    await answers.change({ id: '2', kind: 'delete' });
    expect(answers.list().answers).toEqual([]);
  });

  test.each<[string, object, string, string]>([
    ['a URL', { mode: 'url', url: 'https://x.test/' }, '{"action":"accept"}', 'never-standing'],
    ['a secret field', form('password'), '{"action":"decline"}', 'never-standing'],
    ['a secret in the answer', form('a'), '{"action":"accept","content":{"a":"hunter2"}}', 'never-standing'],
    ['a secret in the schema', form('hunter2'), '{"action":"accept"}', 'never-standing'],
    ['a long answer', form('a'), JSON.stringify('x'.repeat(STANDING_ANSWER_CHARS)), 'standing-too-long'],
  ])('is refused for %s', async (_, params, result, code) => {
    const answers = answersOf('s');
    await expect(answers.add(METHOD, params, { result })).rejects.toMatchObject({ code });
    expect(answers.list().answers).toEqual([]);
  });

  test('is refused when there are many, unless it replaces one', async () => {
    const answers = answersOf('s');
    for (let n = 0; n < STANDING_ANSWERS; n++) await answers.add(METHOD, form(`f${n}`), ACCEPT);
    await expect(answers.add(METHOD, form('more'), ACCEPT)).rejects.toMatchObject({ code: 'standing-full' });
    await answers.add(METHOD, form('f3'), DECLINE);
    expect(answers.use(METHOD, form('f3'))).toEqual(DECLINE);
  });

  test('leaves the question to a person after many uses on one connection', async () => {
    const answers = answersOf('s');
    await answers.add(METHOD, form('a'), ACCEPT);
    for (let n = 0; n < STANDING_USES; n++) expect(answers.use(METHOD, form('a'))).toEqual(ACCEPT);
    expect(answers.use(METHOD, form('a'))).toBeUndefined();
  });
});
