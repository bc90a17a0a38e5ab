/** The group of *Browse* with what each method calls. */
export const PANEL_OF_CALL: ReadonlyMap<string | undefined, 'tools' | 'prompts' | 'resources'> = new Map([
  ['tools/call', 'tools'],
  ['prompts/get', 'prompts'],
  ['resources/read', 'resources'],
]);
