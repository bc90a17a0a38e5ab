import { expect, test } from 'vitest';
import { RAW_TEMPLATES, templateText } from './raw-templates';

const message = (title: string, era: 'legacy' | 'modern') =>
  JSON.parse(templateText(RAW_TEMPLATES.find((template) => template.title === title)!, 'raw-1', era, undefined));

test('requests have an id, notifications none', () => {
  expect(message('ping', 'legacy')).toEqual({ jsonrpc: '2.0', id: 'raw-1', method: 'ping' });
  expect(message('notifications/cancelled', 'legacy')).not.toHaveProperty('id');
});

test('the modern era has its _meta on requests', () => {
  expect(message('tools/list', 'modern').params._meta).toHaveProperty('io.modelcontextprotocol/protocolVersion');
  expect(message('tools/list', 'legacy')).not.toHaveProperty('params');
  expect(message('notifications/cancelled', 'modern').params).not.toHaveProperty('_meta');
});
