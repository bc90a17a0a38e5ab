import type { ChatEvent, OfferedTool, Usage } from '@/features/chat/lib/chat-frame';

/** A tool and its arguments, which are JSON text or a value. */
export type Call = readonly [name: string, args: object | string];

const OFFERED: readonly OfferedTool[] = ['read', 'write'].map((tool) => ({
  name: `light__${tool}`,
  server: 'light',
  tool,
  inputSchema: {},
  readOnly: tool === 'read',
}));

/** The events of a chat with one answer: calls in one request, then a text. Calls of reading tools run. */
export function chatOf(calls: readonly Call[], text: string, usage?: Usage): readonly ChatEvent[] {
  const turn = 'a1';
  const events: ChatEvent[] = [
    { type: 'user', turn: 'u1', parts: [{ type: 'text', text: 'a' }] },
    { type: 'answer', turn, parent: 'u1' },
    { type: 'tools', turn, tools: OFFERED },
    { type: 'request', turn, request: 1, body: '{}', tokens: [{ part: 'history', tokens: 7 }], losses: [] },
  ];
  for (const [at, [name, args]] of calls.entries()) {
    const offered = OFFERED.find((tool) => tool.name === name);
    const id = `c${at}`;
    const call = { type: 'call', id, name, arguments: typeof args === 'string' ? args : JSON.stringify(args) } as const;
    const kind = offered?.readOnly ? 'run' : 'refuse';
    events.push(
      { type: 'call', turn, request: 1, call, ...(offered && { server: offered.server, tool: offered.tool }) },
      { type: 'decision', turn, call: id, decision: { kind }, by: offered ? 'rule' : 'loop' },
    );
    if (kind === 'run') events.push({ type: 'sent', turn, call: id, server: 'light', connection: 'l', seq: 10 + at });
  }
  return [
    ...events,
    {
      type: 'response',
      turn,
      request: 1,
      body: '',
      reason: 'stop',
      milliseconds: 5,
      ...(usage && { usage }),
      message: { role: 'assistant', parts: [{ type: 'text', text }] },
    },
    { type: 'end', turn, reason: 'stop' },
  ];
}
