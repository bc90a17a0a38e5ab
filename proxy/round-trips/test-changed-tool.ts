import { setMembers } from '@/lib/json/members';
import { JsonSource } from '@/lib/json/source';

/** Adds a required parameter to the tool of this name in a server’s lists. Everything else stays exact. */
export const changedTool =
  (name: string) =>
  (text: string): string => {
    const tools = JsonSource.parse(text)?.member('result')?.member('tools');
    const list = tools?.kind === 'array' ? tools.children(Number.POSITIVE_INFINITY).children : [];
    const tool = list.find(({ source }) => source.member('name')?.value === name)?.source;
    const schema = tool?.member('inputSchema');
    if (!tool || !schema) return text;
    const added = setMembers(schema.text, [
      ['properties', setMembers(schema.member('properties')?.text ?? '{}', [['one_more', '{"type":"string"}']])],
      [
        'required',
        (schema.member('required')?.text ?? '[]').replace(
          /\[(?=(.?))/,
          (_, next) => `["one_more"${next === ']' ? '' : ','}`,
        ),
      ],
    ]);
    return text.replace(tool.text, () => setMembers(tool.text, [['inputSchema', added]]));
  };
