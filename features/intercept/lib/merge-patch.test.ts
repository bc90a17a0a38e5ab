import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@/lib/json/value';
import { mergePatch, patchBetween } from './merge-patch';

const merged = (text: string, patch: JsonObject) => mergePatch({ text, value: JSON.parse(text) }, patch);

/** The examples of RFC 7396, appendix A, whose target and patch are objects. */
const EXAMPLES: readonly (readonly [target: JsonObject, patch: JsonObject, result: JsonObject])[] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

describe('a merge patch', () => {
  it.each(EXAMPLES)('applied to %j, %j gives %j', (target, patch, result) => {
    const { text, value } = merged(JSON.stringify(target), patch);
    expect(value).toEqual(result);
    expect(JSON.parse(text)).toEqual(result);
  });

  it.each(EXAMPLES)('is found from %j and its result', (target, patch, result) => {
    const found = patchBetween(target, result);
    expect(found).toBeDefined();
    expect(merged(JSON.stringify(target), found!).value).toEqual(result);
    expect(Object.keys(found!).length).toBeLessThanOrEqual(Object.keys(patch).length);
  });

  it('does not set a member to null, but keeps nulls that are there or in arrays', () => {
    expect(patchBetween({ a: 1 }, { a: null })).toBeUndefined();
    expect(patchBetween({}, { a: { b: { default: null } } })).toBeUndefined();
    expect(patchBetween({ a: { default: null, b: 1 } }, { a: { default: null, b: 2 } })).toEqual({ a: { b: 2 } });
    expect(patchBetween({}, { enum: [null, { default: null }] })).toEqual({ enum: [null, { default: null }] });
  });

  it('sets members with the names of built-in properties', () => {
    const after = JSON.parse('{"a":1,"__proto__":{"b":2}}');
    expect(JSON.parse(merged('{"a":1}', patchBetween({ a: 1 }, after)!).text)).toEqual(after);
  });
});
