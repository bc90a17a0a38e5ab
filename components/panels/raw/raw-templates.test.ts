import { describe, expect, test } from 'vitest';
import { firstText, lacksMeta, RAW_TEMPLATES, templateText } from './raw-templates';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const template = (title: string) => RAW_TEMPLATES.find((row) => row.title === title)!;
const read = (title: string, meta?: typeof META) => JSON.parse(templateText(template(title), 'r', meta));

describe('templateText', () => {
  test('gives requests an id, notifications none', () => {
    expect(read('ping')).toEqual({ jsonrpc: '2.0', id: 'r', method: 'ping' });
    expect(read('notifications/cancelled')).not.toHaveProperty('id');
    expect(read('notifications/cancelled', META).params).not.toHaveProperty('_meta');
  });

  test('adds _meta to every request that needs it, beside its params', () => {
    for (const row of RAW_TEMPLATES.filter(({ era }) => era !== 'legacy')) {
      const text = templateText(row, 'r', META);
      expect(text).not.toContain('\n');
      const message = JSON.parse(text);
      if (message.id !== undefined) expect(message.params).toEqual({ ...row.message.params, _meta: META });
    }
  });
});

test('the first text is a request of the era', () => {
  expect(JSON.parse(firstText(undefined))).toEqual({ jsonrpc: '2.0', id: 'raw-1', method: 'tools/list' });
  expect(JSON.parse(firstText(META)).params._meta).toEqual(META);
  expect(JSON.parse(firstText(undefined, true))).toMatchObject({ method: 'initialize' });
});

test.each([
  [{ id: 1, method: 'a' }, true],
  [{ id: 1, method: 'a', params: { _meta: {} } }, true],
  [{ id: 1, method: 'a', params: { _meta: { ...META, more: 1 } } }, false],
  [{ method: 'a' }, false],
  [{ id: 1, result: {} }, false],
  [[], false],
])('%j lacks _meta: %s', (message, lacks) => {
  expect(lacksMeta(message, META)).toBe(lacks);
  expect(lacksMeta(message, undefined)).toBe(false);
});
