import type { JsonObject } from '@/lib/json/value';
import type { RecordedTraffic } from '../traffic/recorded-traffic';
import { TrafficReader } from '../traffic/traffic-reader';

/** A message by its direction: `>` to the server, `<` to the client. */
type Said = readonly ['>' | '<', JsonObject];

/** Traffic with these messages, after a handshake that agrees on 2025-11-25. */
export function trafficOf(...said: readonly Said[]): RecordedTraffic {
  const reader = new TrafficReader();
  const initialize = {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 's', version: '1' },
  };
  const all: readonly Said[] = [...call('initialize', {}, initialize, 'init'), ...said];
  for (const [at, [direction, message]] of all.entries()) {
    reader.addFrame({
      seq: at + 1,
      time: at * 1000,
      channel: 'protocol',
      direction: direction === '>' ? 'to-server' : 'to-client',
      flags: 0,
      bytes: new TextEncoder().encode(JSON.stringify({ jsonrpc: '2.0', ...message })),
    });
  }
  return reader.traffic();
}

let ids = 0;

/** A request and its result. */
export function call(
  method: string,
  params: JsonObject,
  result: unknown,
  id: string | number = ++ids,
): readonly Said[] {
  return [
    ['>', { id, method, params }],
    ['<', { id, result }],
  ];
}

/** A call of a tool that answers with this text. */
export function toolCall(name: string, args: JsonObject, text: string): readonly Said[] {
  return call('tools/call', { name, arguments: args }, { content: [{ type: 'text', text }] });
}

/** A list of tools without arguments. */
export function tools(...names: readonly string[]): readonly Said[] {
  return call('tools/list', {}, { tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) });
}
