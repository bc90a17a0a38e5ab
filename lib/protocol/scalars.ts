import { isObject } from '@/lib/json/value';
import type { FaultCheck, FaultWalk } from './checks';
import type { Format } from './formats';

const plain =
  (expected: string, is: (value: unknown) => boolean): FaultCheck =>
  (value, walk) =>
    is(value) || walk.addFault('type', expected);

const isNumber = (value: unknown): value is number => typeof value === 'number';
const isText = (value: unknown): value is string => typeof value === 'string';

/** Checks that a value is a text. It is valid in a wrong format, too. */
const formatted =
  (expected: string, ...formats: readonly Format[]): FaultCheck =>
  (value, walk) => {
    if (!isText(value)) return walk.addFault('type', expected);
    for (const format of formats) walk.checkFormat(format, value);
    return true;
  };

const bounded =
  (expected: string, isType: (value: unknown) => boolean, least: number, most: number): FaultCheck =>
  (value, walk) => {
    if (!isType(value)) return walk.addFault('type', expected);
    return ((value as number) >= least && (value as number) <= most) || walk.addFault('range', expected);
  };

/** Checks a number whose schema has no bound. It is valid below `least`, too, but has no meaning there. */
const atLeast =
  (least: number, expected: string, isType: (value: unknown) => boolean): FaultCheck =>
  (value, walk) => {
    if (!isType(value)) return walk.addFault('type', expected);
    if ((value as number) < least) walk.addFault('amount', `${least} or more`);
    return true;
  };

/** Checks an object of objects. It is valid with any names, too. */
const named =
  (format: Format): FaultCheck =>
  (value, walk: FaultWalk) => {
    if (!isObject(value)) return walk.addFault('type', 'an object');
    let fine = true;
    for (const [name, member] of Object.entries(value)) {
      walk.checkFormat(format, name, name);
      fine = walk.checkMember(name, OBJECT, member) && fine;
    }
    return fine;
  };

const OBJECT = plain('an object', isObject);

/** Basic types. */
export const SCALARS: ReadonlyMap<string, FaultCheck> = new Map([
  ['any', () => true],
  ['object', OBJECT],
  ['string', plain('a string', isText)],
  ['uri', formatted('a string, a URI', 'uri')],
  ['uriTemplate', formatted('a string, a URI template', 'uri-template')],
  ['fileUri', formatted('a string, a URI', 'uri', 'file-uri')],
  ['iconUri', formatted('a string, a URI', 'uri', 'icon-uri', 'icon-data')],
  ['webUrl', formatted('a string, a URI', 'url', 'safe-url')],
  ['mimeType', formatted('a string', 'mime-type')],
  ['iconType', formatted('a string', 'mime-type', 'image-type')],
  ['imageType', formatted('a string', 'media-type', 'image-type')],
  ['audioType', formatted('a string', 'media-type', 'audio-type')],
  ['iconSize', formatted('a string', 'icon-size')],
  ['timestamp', formatted('a string', 'timestamp')],
  ['taskTime', formatted('a string', 'task-time')],
  ['versionDate', formatted('a string', 'version-date')],
  ['base64', plain('a string, base64', isText)],
  ['number', plain('a number', isNumber)],
  ['quantity', atLeast(0, 'a number', isNumber)],
  ['integer', plain('an integer', Number.isInteger)],
  ['count', atLeast(0, 'an integer', Number.isInteger)],
  ['positive', atLeast(1, 'an integer', Number.isInteger)],
  ['boolean', plain('true or false', (value) => typeof value === 'boolean')],
  ['null', plain('null', (value) => value === null)],
  ['share', bounded('a number from 0 to 1', isNumber, 0, 1)],
  ['milliseconds', bounded('an integer, 0 or more', Number.isInteger, 0, Number.POSITIVE_INFINITY)],
  ['extensions', named('extension-name')],
]);
