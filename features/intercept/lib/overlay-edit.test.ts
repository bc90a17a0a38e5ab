import { describe, expect, it } from 'vitest';
import { Overlay } from './overlay';
import { changeOf, definitionTokens, editedTool, overlayPatch, withChange } from './overlay-edit';
import type { OverlayFile } from './overlay-file';

const ECHO = `{"name":"echo","title":"Echo","description":"Echoes","inputSchema":{"type":"object","properties":{"message":{"type":"string","description":"Text"},"n":{"maximum":12345678901234567890,"default":null}}},"annotations":{"readOnlyHint":true}}`;
const OTHERS = new Set(['add']);
const START = editedTool('echo', ECHO, false);
const edit = (edited: Partial<typeof START>) => changeOf('echo', ECHO, { ...START, ...edited }, OTHERS);

describe('an edited tool', () => {
  it('starts as the definition is, without a change', () => {
    expect(START.inputSchema).toContain('"maximum": 12345678901234567890');
    expect(edit({})).toEqual({ change: {} });
  });

  it('is a change of what differs', () => {
    expect(edit({ name: 'say', title: '', description: 'Says' })).toEqual({
      change: { name: 'say', title: null, description: 'Says' },
    });
    expect(edit({ inputSchema: START.inputSchema.replace('"Text"', '"What to say"') })).toEqual({
      change: { inputSchema: { properties: { message: { description: 'What to say' } } } },
    });
    expect(edit({ annotations: '' })).toEqual({ change: { annotations: null } });
    expect(edit({ hidden: true })).toEqual({ change: { hidden: true } });
  });

  it.each([
    [{ name: '' }, { name: 'A tool needs a name' }],
    [{ name: 'add' }, { name: 'Another tool has this name' }],
    [{ inputSchema: '{' }, { inputSchema: 'This is not valid JSON' }],
    [{ inputSchema: '[]' }, { inputSchema: 'This is an array, expected an object' }],
    [{ inputSchema: ' ' }, { inputSchema: 'A tool needs an input schema: {"type": "object"} takes anything' }],
    [{ annotations: '{"a":null}' }, { annotations: 'An overlay can’t set a member to null. Inside an array it can' }],
  ])('with %j has a fault', (edited, faults) => {
    expect(edit(edited)).toEqual({ faults });
  });

  it('may have the name of another tool while it is hidden', () => {
    expect(edit({ name: 'add', hidden: true })).toEqual({ change: { name: 'add', hidden: true } });
  });

  it('of a tool without schema can get one', () => {
    const bare = '{"name":"a"}';
    expect(changeOf('a', bare, { ...editedTool('a', bare, false), inputSchema: '{}' }, OTHERS)).toEqual({
      change: { inputSchema: {} },
    });
  });
});

describe('an overlay', () => {
  it('keeps the order of its tools when one changes', () => {
    let file: OverlayFile = { tools: {} };
    for (const name of ['a', '__proto__', 'b']) file = withChange(file, name, { title: name });
    file = withChange(file, 'a', { hidden: true });
    expect(JSON.stringify(file)).toBe(
      '{"tools":{"a":{"hidden":true},"__proto__":{"title":"__proto__"},"b":{"title":"b"}}}',
    );
    expect(Object.keys(withChange(file, 'a', {}).tools)).toEqual(['__proto__', 'b']);
    expect(withChange(file, 'z', {})).toEqual(file);
  });

  it('is exported as a patch of the list of definitions', () => {
    const overlay = new Overlay('{"tools":{"echo":{"description":"Says"},"z":{"hidden":true}}}');
    const tools = [
      { name: 'echo', definition: '{"name":"echo","description":"Echoes"}' },
      { name: 'z', definition: '{"name":"z"}' },
    ];
    expect(overlayPatch(overlay, tools)).toBe(`--- a/tools.json
+++ b/tools.json
@@ -1,9 +1,6 @@
 [
   {
     "name": "echo",
-    "description": "Echoes"
-  },
+    "description": "Says"
+  }
-  {
-    "name": "z"
-  }
 ]
`);
    expect(overlayPatch(new Overlay('{}'), tools)).toBe('');
  });
});

it('estimates the tokens of what models get to see', () => {
  expect(definitionTokens('{"name":"a","_meta":{"x":"yyyyyyyyyyyyyyyyyyyyy"}}')).toBe(3);
});
