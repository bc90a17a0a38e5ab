import { isObject, own } from './message';

/** Whether a value, of whoever wrote it, is what its reader expects. */
export type Check = (value: unknown) => boolean;

export const isText: Check = (value) => typeof value === 'string';
export const isNumber: Check = (value) => typeof value === 'number';
export const areTexts: Check = (value) => Array.isArray(value) && value.every(isText);
export const anyOf =
  (...checks: readonly Check[]): Check =>
  (value) =>
    checks.some((check) => check(value));
export const optional = (check: Check): Check => anyOf((value) => value === undefined, check);

/** An object that has these as its own; what else it has is nobody's business. */
export const shape =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) && Object.entries(fields).every(([key, check]) => check(own(value, key)));
