import { describe, expect, it } from 'vitest';
import { OVERLAY_CHARS, readOverlay, writeOverlay } from './overlay-file';

describe('an overlay file', () => {
  it('is read and written', () => {
    const file = { tools: { echo: { name: 'say', title: null, inputSchema: { properties: {} }, hidden: false } } };
    expect(readOverlay(JSON.stringify(file))).toEqual(file);
    expect(readOverlay(writeOverlay(file))).toEqual(file);
    expect(readOverlay('\ufeff{"$schema":"a"}')).toEqual({ tools: {} });
  });

  it.each([
    ['{', 'The overlay is not valid JSON'],
    ['[]', 'The overlay is an array, expected an object.'],
    ['{"tool":{}}', '`tool` is not a member of an overlay. The only one is `tools`.'],
    ['{"tools":[]}', '`tools` is an array, expected an object.'],
    ['{"tools":{"my tool":1}}', '`tools["my tool"]` is a number, expected an object.'],
    ['{"tools":{"a":{"desc":"x"}}}', '`tools.a.desc` can’t be changed. Use one of name, title, description,'],
    ['{"tools":{"a":{"constructor":"x"}}}', '`tools.a.constructor` can’t be changed.'],
    ['{"tools":{"a":{"name":null}}}', '`tools.a.name` is null, expected a string.'],
    ['{"tools":{"a":{"name":""}}}', '`tools.a.name` is empty.'],
    [
      '{"tools":{"a":{"description":3}}}',
      '`tools.a.description` is a number, expected a string, or null to remove it.',
    ],
    ['{"tools":{"a":{"inputSchema":true}}}', '`tools.a.inputSchema` is a boolean, expected an object.'],
    ['{"tools":{"a":{"annotations":[]}}}', '`tools.a.annotations` is an array, expected an object, or null'],
    ['{"tools":{"a":{"hidden":1}}}', '`tools.a.hidden` is a number, expected true or false.'],
    ['{"tools":{"a":{"name":"c"},"b":{"name":"c"}}}', '`tools.b.name` is "c", which is also the name of `tools.a`.'],
    ['{"tools":{"a":{"name":"b"},"b":{"title":"B"}}}', '`tools.a.name` is "b", which is also the name of `tools.b`.'],
    ['{"tools":{"b":{"title":"B"},"a":{"name":"b"}}}', '`tools.a.name` is "b", which is also the name of `tools.b`.'],
    [' '.repeat(OVERLAY_CHARS + 1), 'The overlay is longer than 1000000 characters.'],
    [`{"tools":${'['.repeat(1000)}`, 'The overlay is not valid JSON: nested deeper than 256.'],
  ])('says where %s is wrong', (text, message) => {
    expect(() => readOverlay(text)).toThrow(message);
  });

  it('lets a tool have the name of a hidden one', () => {
    expect(() => readOverlay('{"tools":{"a":{"name":"b"},"b":{"hidden":true}}}')).not.toThrow();
  });
});
