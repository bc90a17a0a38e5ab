import type { InterceptRule } from '@/lib/wire/intercept';

/** Rules that people often want. Choosing one adds it and turns it on. */
export const PRESETS: readonly InterceptRule[] = [
  { name: 'Hold every tools/call', direction: 'to-server', when: 'method:tools/call', action: { do: 'hold' } },
  {
    name: 'Hold results of tools/call',
    direction: 'to-client',
    when: 'method:tools/call',
    action: { do: 'hold' },
  },
  {
    name: 'Delay every third call by 3 s',
    direction: 'to-server',
    when: 'method:tools/call',
    every: 3,
    action: { do: 'delay', ms: 3000 },
  },
  {
    name: 'Fail tool calls with -32603',
    direction: 'to-server',
    when: 'method:tools/call',
    action: { do: 'error', code: -32603, message: 'Internal error' },
  },
  {
    name: 'Drop the response to one call',
    direction: 'to-client',
    when: 'method:tools/call',
    times: 1,
    action: { do: 'drop' },
  },
  {
    name: 'Duplicate notifications',
    direction: 'to-client',
    when: 'kind:notification',
    action: { do: 'duplicate' },
  },
  {
    name: 'Cut the stream at the next call',
    direction: 'to-server',
    when: 'method:tools/call',
    times: 1,
    action: { do: 'cut' },
  },
];

/** Returns the name, or the name with the first free number: "Hold every ping 2". */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  let number = 2;
  while (taken.has(`${name} ${number}`)) number++;
  return `${name} ${number}`;
}
