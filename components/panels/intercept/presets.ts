import { draftOf, type RuleDraft } from './rule-draft';

/** Rules that people often want. The form opens with one, so that it can be changed before it takes anything. */
export const PRESETS: readonly RuleDraft[] = [
  draftOf({ name: 'Hold every tools/call', direction: 'to-server', when: 'method:tools/call', action: { do: 'hold' } }),
  draftOf({
    name: 'Hold results of tools/call',
    direction: 'to-client',
    when: 'method:tools/call',
    action: { do: 'hold' },
  }),
  draftOf({
    name: 'Delay every third call by 3 s',
    direction: 'to-server',
    when: 'method:tools/call',
    every: 3,
    action: { do: 'delay', ms: 3000 },
  }),
  draftOf({
    name: 'Fail tool calls with -32603',
    direction: 'to-server',
    when: 'method:tools/call',
    action: { do: 'error', code: -32603, message: 'Internal error' },
  }),
  draftOf({
    name: 'Drop the response to one call',
    direction: 'to-client',
    when: 'method:tools/call',
    times: 1,
    action: { do: 'drop' },
  }),
  draftOf({
    name: 'Duplicate notifications',
    direction: 'to-client',
    when: 'kind:notification',
    action: { do: 'duplicate' },
  }),
  draftOf({
    name: 'Cut the stream at the next call',
    direction: 'to-server',
    when: 'method:tools/call',
    times: 1,
    action: { do: 'cut' },
  }),
];

/** Returns the name, or the name with the first free number: "Hold every ping 2". */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  let number = 2;
  while (taken.has(`${name} ${number}`)) number++;
  return `${name} ${number}`;
}
