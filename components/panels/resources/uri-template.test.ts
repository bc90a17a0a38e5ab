import { describe, expect, test } from 'vitest';
import { cpuMs } from '@/lib/wire/test-cpu-time';
import { expandTemplate, templateVariables, valuesInUri } from './uri-template';

describe('templateVariables', () => {
  test.each([
    ['file:///{path}', ['path']],
    ['a://{x}/{+y}/{x}{?q,lang}', ['x', 'y', 'q', 'lang']],
    ['a://{path*}/{name:3}', ['path', 'name']],
    ['a://none', []],
    ['a://{}/{', []],
  ])('%s has %j', (template, names) => {
    expect(templateVariables(template).map(({ name }) => name)).toEqual(names);
  });
});

describe('expandTemplate', () => {
  test.each([
    ['file:///{path}', { path: 'a b/c' }, 'file:///a%20b%2Fc'],
    ['file:///{+path}', { path: 'a/b' }, 'file:///a/b'],
    ['db://{table}{?limit,offset}', { table: 't', limit: '5' }, 'db://t?limit=5'],
    ['a://x{/parts*}', { parts: 'one\ntwo' }, 'a://x/one/two'],
    ['a://{name:3}', { name: 'abcdef' }, 'a://abc'],
    ['a://{x}', {}, 'a://'],
    ['a://{x}', { x: 12345 }, 'a://12345'],
    ['a://{constructor}', {}, 'a://'],
    ['a://{toString}', { toString: 'x' }, 'a://x'],
  ])('%s with %j is %s', (template, values, uri) => {
    expect(expandTemplate(template, values as Record<string, unknown>)).toBe(uri);
  });

  test('returns undefined for text that cannot be encoded', () => {
    expect(expandTemplate('a://{x}', { x: '\ud800' })).toBeUndefined();
  });

  test('is fast on a megabyte of braces', () => {
    const started = cpuMs();
    templateVariables('{'.repeat(500_000));
    templateVariables('{a'.repeat(300_000));
    expect(cpuMs() - started).toBeLessThan(2_000);
  });
});

describe('valuesInUri', () => {
  test.each([
    ['db://{table}/{id}', 'db://users/42', { table: 'users', id: '42' }],
    ['file:///{+path}', 'file:///a/b%20c', { path: 'a/b c' }],
    ['file:///{path}', 'file:///a%2Fb', { path: 'a/b' }],
    ['a://none', 'a://none', {}],
    ['a://{x}', 'a://', { x: '' }],
    ['a://{x}/end', 'a://1/end', { x: '1' }],
    ['a://{x}{y}', 'a://1', { x: '1', y: '' }],
    ['page{#part}', 'page#top', { part: 'top' }],
    ['a://{constructor}', 'a://1', { constructor: '1' }],
  ])('%s of %s', (template, uri, values) => {
    expect({ ...valuesInUri(template, uri) }).toEqual(values);
    expect(expandTemplate(template, values)).toBe(uri);
  });

  test.each([
    ['db://{table}', 'file:///x'],
    ['db://{table}/{id}', 'db://users'],
    ['db://{table}{?limit}', 'db://users?limit=5'],
    ['a://{list*}', 'a://1,2'],
  ])('%s gives no values for %s', (template, uri) => {
    expect(valuesInUri(template, uri)).toBeUndefined();
  });
});
