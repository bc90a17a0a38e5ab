import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { parseOutgoing } from '@/lib/transports/request-headers';
import type { BackendConnection } from './backend';
import { ModernClients, REPLAY_IDS } from './modern-endpoint';

/** Clients numbered in the order they begin. */
function clients() {
  const begun: BackendConnection[] = [];
  const known = new ModernClients(() => {
    begun.push({ end: () => {} } as BackendConnection);
    return begun.at(-1)!;
  });
  const socket = () => ({}) as Socket;
  /** Returns the client that a request is assigned to. */
  const from = (id: unknown, method: string, on = socket(), name = 'n') => {
    const _meta = { 'io.modelcontextprotocol/clientInfo': { name } };
    const text = JSON.stringify({ jsonrpc: '2.0', id, method, params: { _meta } });
    return begun.indexOf(known.connectionFor(on, parseOutgoing(text)));
  };
  return { from, socket };
}

test('of two clients with one name, chooses the one whose ids the request continues, on any socket', () => {
  const { from, socket } = clients();
  const [first, second] = [socket(), socket()];
  for (const id of [0, 1, 2, 3, 4, 5]) expect(from(id, id === 0 ? 'server/discover' : 'tools/call', first)).toBe(0);
  for (const id of [0, 1]) expect(from(id, id === 0 ? 'server/discover' : 'tools/call', second)).toBe(1);
  expect(from(6, 'tools/call')).toBe(0);
  expect(from(2, 'tools/call')).toBe(1);
  // It overtook the request before it.
  expect(from(8, 'tools/call')).toBe(0);
  expect(from(7, 'tools/call')).toBe(0);
  expect(from(3, 'tools/call')).toBe(1);
});

test('prefers a client that has not used the id, then the most recent client', () => {
  const { from, socket } = clients();
  const [first, second] = [socket(), socket()];
  from('a', 'server/discover', first);
  from('b', 'server/discover', second);
  expect([from('c', 'tools/call'), from('b', 'tools/call'), from('c', 'tools/call')]).toEqual([1, 0, 0]);
  expect(from('b', 'tools/call')).toBe(0);
  expect(from('a', 'tools/call', socket(), 'another name')).toBe(2);
});

test('remembers only the latest ids', () => {
  const { from, socket } = clients();
  const [first, second] = [socket(), socket()];
  from(0, 'server/discover', first);
  from(1000, 'server/discover', second);
  for (let id = 1; id <= REPLAY_IDS; id++) from(id, 'tools/call', first);
  expect([from(0, 'tools/call'), from(50, 'tools/call')]).toEqual([0, 1]);
});
