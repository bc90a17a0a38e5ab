import { writeFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { encodeFrame, encodeHeaderOrEnd } from '@/lib/recording/encode-lines';
import { RECORDING_VERSION } from '@/lib/recording/format';
import type { Direction } from '@/lib/wire/frame';
import { agentServer } from './agent-server';
import type { CallableServer } from './callable-server';
import { RecordedSources } from './recorded-sources';

/** A frame of a written recording: an event of the connection, a message to or from the server, or a line of stderr. */
export type WrittenFrame =
  | { readonly event: object }
  | { readonly stderr: string }
  | { readonly to: Direction; readonly text: string };

const START = {
  event: 'start',
  at: '2026-01-31T12:00:00.000Z',
  name: 'x',
  transport: 'stdio',
  command: 'node',
  args: [],
  cwd: '/',
  environment: { policy: 'inherit', inherited: [], added: [] },
};

/** Frames at the start of a session with a server of this name. */
export const OPENING: readonly WrittenFrame[] = [
  { event: START },
  sent({
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
  }),
  got({
    id: 0,
    result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'srv', version: '1' } },
  }),
  { event: { event: 'open', era: 'legacy', version: '2025-11-25', transport: 'stdio' } },
  sent({ method: 'notifications/initialized' }),
];

/** A message of the client. */
export function sent(message: object): WrittenFrame {
  return { to: 'to-server', text: JSON.stringify({ jsonrpc: '2.0', ...message }) };
}

/** A message of the server. */
export function got(message: object): WrittenFrame {
  return { to: 'to-client', text: JSON.stringify({ jsonrpc: '2.0', ...message }) };
}

/** A call of a tool and its result. */
export function called(id: number, name: string, args: object, result: object): readonly WrittenFrame[] {
  return [sent({ id, method: 'tools/call', params: { name, arguments: args } }), got({ id, result })];
}

/** Writes a recording without masking anything. */
export function writeRecording(file: string, frames: readonly WrittenFrame[]): void {
  const header = encodeHeaderOrEnd({
    mcpr: RECORDING_VERSION,
    id: crypto.randomUUID(),
    at: START.at,
    by: 'mcp-inspect/1',
    mode: 'client',
    name: 'x',
    transport: 'stdio',
    redaction: { policy: 'none' },
  });
  const lines = frames.map((frame, at) =>
    encodeFrame(at + 1, {
      time: at * 1000,
      flags: 0,
      ...('to' in frame
        ? { channel: 'protocol' as const, direction: frame.to, bytes: Buffer.from(frame.text) }
        : 'stderr' in frame
          ? { channel: 'stderr' as const, direction: 'to-client' as const, bytes: Buffer.from(frame.stderr) }
          : {
              channel: 'lifecycle' as const,
              direction: 'to-client' as const,
              bytes: Buffer.from(JSON.stringify(frame.event)),
            }),
    }),
  );
  const end = encodeHeaderOrEnd({ k: 'end', t: frames.length * 1000, frames: frames.length });
  writeFileSync(file, Buffer.concat([header, ...lines, end]));
}

/** An agent that is connected to the server over these recordings. */
export interface ConnectedAgent {
  readonly client: Client;
  /** Calls a tool. Resolves with the text of the result, and whether it is an error. */
  call(name: string, args?: Record<string, unknown>): Promise<{ text: string; isError: boolean; result: unknown }>;
  close(): Promise<void>;
}

/** Connects an agent. `folder`: of kept recordings. `named`: as on the command line. */
export async function connectAgent(
  folder: string,
  named: readonly string[],
  server?: CallableServer,
): Promise<ConnectedAgent> {
  const sources = new RecordedSources(folder, named);
  const [near, far] = InMemoryTransport.createLinkedPair();
  await agentServer({ version: '1', sources, server }).connect(far);
  const client = new Client({ name: 'agent', version: '1' });
  await client.connect(near as never);
  return {
    client,
    async call(name, args = {}) {
      const result = await client.callTool({ name, arguments: args });
      return { text: (result.content as { text: string }[])[0]!.text, isError: result.isError === true, result };
    },
    async close() {
      await client.close();
      await sources.close();
    },
  };
}
