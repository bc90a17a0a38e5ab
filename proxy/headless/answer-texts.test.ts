import { expect, test } from 'vitest';
import { AnswerTexts, isAnswer, messagesIn, resultText } from './answer-texts';

test('the line that answers is caught by id and its type, whatever else comes', async () => {
  const texts = new AnswerTexts();
  const caught: string[] = [];
  const all = Promise.all([1, '1', 'b'].map((id) => texts.next(id).then((line) => caught.push(line))));
  const lines = [
    'junk',
    'null',
    '{"id":1,"method":"ping","result":{}}',
    '{"id":1}',
    '{"id":"1","error":{"code":1,"message":""}}',
    '{"id":1,"result":{"n":9007199254740993}}',
    '{"id":1,"result":"again"}',
    '[{"id":7,"result":0},{"id":"b","result":1}]',
  ];
  for (const line of lines) texts.see(line);
  await all;
  expect(caught).toEqual([lines[4], lines[5], lines[7]].sort((a, b) => lines.indexOf(a!) - lines.indexOf(b!)));
});

test.each<[string, unknown, string]>([
  ['{"id":1,"result": {"n": 9007199254740993, "n":1.0} }', {}, '{"n": 9007199254740993, "n":1.0}'],
  ['{"result":1,"id":1,"result":[2]}', [2], '[2]'],
  ['{"\\u0072esult":null,"id":1}', null, 'null'],
  ['[{"id":1,"result":{"a":1}}]', { a: 1 }, '{"a":1}'],
])('the result of %s', (line, result, text) => {
  expect(resultText(line, result)).toBe(text);
});

test('messages of a line', () => {
  expect(messagesIn('[1,{"a":2}]')).toEqual([1, { a: 2 }]);
  expect(messagesIn('{"id":')).toEqual([]);
  expect(isAnswer({ id: null, result: 1 })).toBe(false);
});
