import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import type { Direction } from '@/lib/wire/frame';
import type { InterceptRule } from '@/lib/wire/intercept';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { TapInterception } from './interception';
import { StreamRelay } from './relay';
import { SEEN_BYTES, SeenMessages } from './seen-messages';

/** The streams of a host and a server with rules between them, without processes. */
function session() {
  const seen = new SeenMessages();
  const log: (LifecycleEvent | string)[] = [];
  const side = (direction: Direction) => {
    const [from, to] = [new PassThrough(), new PassThrough()];
    let got = '';
    to.on('data', (chunk) => {
      got += chunk;
    });
    const passage = new StreamRelay(from, to, (chunk) => {
      log.push(String(chunk));
      return void seen.keep(direction, chunk);
    });
    return { from, to, passage, got: () => got };
  };
  const [host, server] = [side('to-server'), side('to-client')];
  const recording = { onPassing: () => undefined, logEvent: (event: LifecycleEvent) => void log.push(event) };
  const passages = { 'to-server': host.passage, 'to-client': server.passage };
  const interception = new TapInterception({ passages, recording, seen });
  const write = async (from: PassThrough, ...messages: readonly object[]) => {
    from.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
    await passed();
  };
  return { host, server, interception, log, write };
}

const passed = () => new Promise((resolve) => setImmediate(resolve));
const call = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'slow' } };
const result = { jsonrpc: '2.0', id: 7, result: {} };
const holdResults: InterceptRule = {
  name: 'h',
  when: 'tool:slow',
  direction: 'to-client',
  action: { do: 'hold' },
};

test('a rule knows the call that waits since before, after much else has passed', async () => {
  const { host, server, interception, write } = session();
  for (let at = 0; at < 10; at++) await write(host.from, { method: 'x', params: 'x'.repeat(SEEN_BYTES / 4) });
  await write(host.from, call);
  interception.setRules({}, [holdResults]);
  await write(server.from, result);
  expect(server.got()).toBe('');
});

test('a rule knows a call that passed while rules were off', async () => {
  const { host, server, interception, write } = session();
  const page = {};
  interception.setRules(page, [holdResults]);
  interception.setRules(page, []);
  await write(host.from, call);
  interception.setRules(page, [holdResults]);
  await write(server.from, result);
  expect(server.got()).toBe('');
});

test('rules take the last line, which has no end', async () => {
  const { server, interception, log } = session();
  interception.setRules({}, [{ name: 'd', direction: 'to-client', action: { do: 'drop' } }]);
  server.from.write(JSON.stringify(result));
  await passed();
  interception.end('to-client');
  server.passage.end();
  await passed();
  expect(server.got()).toBe('');
  expect(log.at(-1)).toMatchObject({ event: 'intercepted', did: 'drop' });
});

test('a last line without an end passes as it is if no rule takes it, or if it is held', async () => {
  for (const when of ['kind:junk', 'kind:response']) {
    const { server, interception } = session();
    interception.setRules({}, [{ name: 'h', when, direction: 'to-client', action: { do: 'hold' } }]);
    server.from.write(JSON.stringify(result));
    await passed();
    interception.end('to-client');
    server.passage.end();
    await passed();
    expect(server.got().trimEnd()).toBe(JSON.stringify(result));
  }
});

test('after a cut, the messages that wait for this direction are dropped, and the log says so', async () => {
  const { server, interception, log, write } = session();
  interception.setRules({}, [
    { name: 'd', when: 'slow', direction: 'to-client', action: { do: 'delay', ms: 60_000 } },
    { name: 'c', when: 'end', direction: 'to-client', action: { do: 'cut' } },
  ]);
  await write(server.from, { jsonrpc: '2.0', method: 'slow' }, { jsonrpc: '2.0', method: 'end' });
  const events = log.filter((item) => typeof item === 'object' && item.event === 'intercepted');
  expect(events).toMatchObject([
    { did: 'cut', delivered: 0 },
    { did: 'drop', why: 'connection-ended', delivered: 0, rule: 'd' },
  ]);
  expect(server.got()).toBe('');
});

test('an event and its messages stay together, although another line is being passed', async () => {
  const { host, server, interception, log, write } = session();
  interception.setRules({}, [
    { name: 'h', when: 'method:held', direction: 'to-client', action: { do: 'hold' } },
    { name: 'r', direction: 'to-server', action: { do: 'result', result: '{}' } },
  ]);
  const heldMessage = { jsonrpc: '2.0', method: 'held' };
  await write(server.from, heldMessage);
  server.from.write(`{"long":"${'x'.repeat(5 * 1024 * 1024)}`);
  await passed();
  interception.request({}, { do: 'decide', hold: 1, decision: { do: 'release' } });
  await write(host.from, call);
  server.from.write('"}\n');
  await vi.waitFor(() => expect(server.got()).toContain('"id":7'));
  expect(log.slice(-6)).toMatchObject([
    '"}\n',
    { event: 'intercepted', did: 'release' },
    `${JSON.stringify(heldMessage)}\n`,
    { event: 'intercepted', did: 'result' },
    `${JSON.stringify(call)}\n`,
    `${JSON.stringify(result)}\n`,
  ]);
});

test('an answer for a side whose stream was cut is in the log, as the event before it says', async () => {
  const { host, server, interception, log, write } = session();
  interception.setRules({}, [
    { name: 'c', direction: 'to-client', action: { do: 'cut' } },
    { name: 'r', direction: 'to-server', action: { do: 'result', result: '{}' } },
  ]);
  await write(server.from, { jsonrpc: '2.0', method: 'x' });
  await write(host.from, call);
  expect(log.slice(-3)).toMatchObject([
    { event: 'intercepted', did: 'result', made: true },
    `${JSON.stringify(call)}\n`,
    `${JSON.stringify(result)}\n`,
  ]);
  expect(server.got()).toBe('');
});

test('copies wait in the chunk while the receiver does not read, and the session ends with all of them', async () => {
  const { server, interception, write } = session();
  interception.setRules({}, [{ name: 'c', direction: 'to-client', action: { do: 'duplicate', copies: 100 } }]);
  server.to.pause();
  const messages = Array.from({ length: 1000 }, (_, n) => ({ method: 'x', params: { n } }));
  await write(server.from, ...messages);
  // All copies have 3.6 MB.
  expect(server.to.writableLength).toBeLessThan(100_000);
  server.to.resume();
  const wanted = (sent: readonly object[]) =>
    sent.map((message) => `${JSON.stringify(message)}\n`.repeat(101)).join('');
  await vi.waitFor(() => expect(server.got().length).toBe(wanted(messages).length));
  expect(server.got()).toBe(wanted(messages));

  server.to.pause();
  await write(server.from, ...messages);
  interception.end('to-client');
  server.passage.end();
  server.to.resume();
  await vi.waitFor(() => expect(server.got().length).toBe(2 * wanted(messages).length));
});
