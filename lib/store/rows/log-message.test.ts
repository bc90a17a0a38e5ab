import { expect, test } from 'vitest';
import { readLogLine } from './log-message';

const line = (text: string, chars = 300) => readLogLine(new TextEncoder().encode(text), chars);

test.each<[string, object]>([
  ['{"params":{"level":"info","logger":"db","data":"ready"}}', { level: 'info', logger: 'db', data: 'ready' }],
  ['{"params":{"level":"error","data":{"code":7}}}', { level: 'error', logger: undefined, data: '{code: 7}' }],
  ['{"params":{"level":3,"data":null}}', { level: '3', logger: undefined, data: 'null' }],
  ['{"params":{"data":"\\u001b[31mred\\u001b[0m"}}', { data: 'red' }],
  ['{"params":{"level":"info","data":"cut o', { level: 'info', data: 'cut o' }],
  ['{"params":[]}', { level: undefined, logger: undefined, data: '' }],
  ['not JSON', { level: undefined, logger: undefined, data: '' }],
])('reads %s', (text, expected) => {
  expect(line(text)).toMatchObject(expected);
});
