import { isObject } from '@/lib/wire/message';
import type { Check } from './fault';

const plain =
  (expected: string, is: (value: unknown) => boolean): Check =>
  (value, walk) =>
    is(value) || walk.fault('type', expected);

const isNumber = (value: unknown): value is number => typeof value === 'number';
const isText = (value: unknown): value is string => typeof value === 'string';

const bounded =
  (expected: string, isType: (value: unknown) => boolean, least: number, most: number): Check =>
  (value, walk) => {
    if (!isType(value)) return walk.fault('type', expected);
    return ((value as number) >= least && (value as number) <= most) || walk.fault('range', expected);
  };

/** The types that are made of nothing. */
export const SCALARS: ReadonlyMap<string, Check> = new Map([
  ['any', () => true],
  ['object', plain('an object', isObject)],
  ['string', plain('a string', isText)],
  ['uri', plain('a string, a URI', isText)],
  ['base64', plain('a string, base64', isText)],
  ['number', plain('a number', isNumber)],
  ['integer', plain('an integer', Number.isInteger)],
  ['boolean', plain('true or false', (value) => typeof value === 'boolean')],
  ['null', plain('null', (value) => value === null)],
  ['share', bounded('a number from 0 to 1', isNumber, 0, 1)],
  ['milliseconds', bounded('an integer, 0 or more', Number.isInteger, 0, Number.POSITIVE_INFINITY)],
]);
