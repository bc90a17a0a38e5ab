import { describe, expect, test } from 'vitest';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import { answered, asked, complained, type FrameSeed, framesOf, got, happened, logOf, sent } from '../test-frames';
import { JUNK_SEQS, STDERR_SEQS } from './reducer';

const start: LifecycleEvent = {
  event: 'start',
  at: '2026-01-01T00:00:00Z',
  name: 'demo',
  transport: 'stdio',
  command: 'node',
  args: ['demo.js'],
  cwd: '/',
  environment: { policy: 'allowlist', inherited: ['PATH'], added: [] },
  protocol: 'auto',
};
const state = (...seeds: FrameSeed[]) => logOf(...seeds).state;

describe('connection', () => {
  const facts = (...events: LifecycleEvent[]) => state(...events.map(happened)).connection;

  test('starts without facts', () => {
    expect(facts()).toEqual({ state: 'starting', lastLifecycleSeq: 0, seqs: [] });
  });

  test('has the process, version and exit', () => {
    const events: LifecycleEvent[] = [
      start,
      { event: 'spawned', pid: 42 },
      { event: 'open', era: 'legacy', version: '2025-11-25' },
      { event: 'closing', reason: 'user' },
      { event: 'rung', rung: 'SIGTERM' },
      { event: 'exit', code: null, signal: 'SIGTERM' },
      { event: 'closed' },
    ];
    expect(facts(...events.slice(0, 3))).toMatchObject({ state: 'open', start, pid: 42, version: '2025-11-25' });
    expect(facts(...events.slice(0, 5)).state).toBe('closing');
    expect(facts(...events)).toMatchObject({
      state: 'closed',
      closing: 'user',
      exit: { code: null, signal: 'SIGTERM', byUs: true },
      lastLifecycleSeq: 7,
      seqs: [1, 2, 3, 4, 5, 6, 7],
    });
  });

  test('keeps the failure after later events', () => {
    expect(facts(start, { event: 'recording-failed', message: 'The disk is full.' }).recordingFailed).toBe(
      'The disk is full.',
    );
    const failure = { code: 'server-exited', message: 'It went.', advice: 'Look.' };
    const events: LifecycleEvent[] = [start, { event: 'failed', ...failure }, { event: 'exit', code: 1, signal: null }];
    expect(facts(...events, { event: 'closed' })).toMatchObject({ state: 'failed', failure, exit: { code: 1 } });
  });

  test('tells whether the client ended the server', () => {
    expect(facts(start, { event: 'exit', code: 1, signal: null }).exit).toEqual({ code: 1, signal: null });
  });

  test('clears the exit after a respawn', () => {
    const events: LifecycleEvent[] = [
      { event: 'exit', code: 1, signal: null },
      { event: 'spawned', pid: 2 },
    ];
    expect(facts(...events)).toMatchObject({ pid: 2, spawnedSeq: 2, exit: undefined });
  });

  test('is the same object until the next lifecycle frame', () => {
    const log = logOf(happened(start), happened({ event: 'spawned', pid: 1 }));
    const { connection } = log.state;
    expect(connection.seqs).toEqual([1, 2]);
    log.append(framesOf([happened(start), happened(start), complained('x')]));
    expect(log.state.connection).toBe(connection);
    log.append(framesOf([...Array.from({ length: 3 }, () => complained('x')), happened({ event: 'closed' })]));
    expect([log.state.connection.seqs, connection.seqs]).toEqual([
      [1, 2, 4],
      [1, 2],
    ]);
  });

  test('counts unknown and broken events only', () => {
    const broken = ['{"event":"constructor"}', '{"event":7}', 'null', '{', '{"event":"exit"}'];
    const seeds = broken.map((text) => ({ ...happened(start), bytes: new TextEncoder().encode(text) }));
    expect(state(...seeds).connection).toMatchObject({ state: 'starting', lastLifecycleSeq: 5 });
  });
});

describe('server', () => {
  test('is read from the response to initialize', () => {
    const serverInfo = { name: 'demo', version: '1.0', title: 'Demo', websiteUrl: 'https://example.com' };
    const { server, tools, resources, templates, prompts } = state(
      asked(1, 'initialize'),
      answered(1, { serverInfo, capabilities: { tools: {}, resources: {} }, instructions: 'Be kind.' }),
    );
    expect(server).toEqual({
      info: serverInfo,
      capabilities: { tools: {}, resources: {} },
      instructions: 'Be kind.',
      seq: 2,
    });
    expect([tools, resources, templates, prompts].map(({ supported }) => supported)).toEqual([true, true, true, false]);
  });

  test('is read from the _meta of the response to server/discover', () => {
    const _meta = { 'io.modelcontextprotocol/serverInfo': { name: 'modern', version: '2' } };
    const { server } = state(asked('d', 'server/discover'), answered('d', { capabilities: {}, _meta }));
    expect(server).toMatchObject({ info: { name: 'modern', version: '2' }, seq: 2 });
  });

  test('is not read from a refused discover', () => {
    const refused = got({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'no' } });
    expect(state(asked(1, 'server/discover'), refused).server).toEqual({});
  });

  test.each([[null], ['text'], [[]], [{ serverInfo: 'x', capabilities: [], instructions: 5 }]])(
    'handles the result %j',
    (result) => {
      const { server } = state(asked(1, 'initialize'), answered(1, result));
      expect(server.info).toBeUndefined();
      expect(server.capabilities).toBeUndefined();
    },
  );

  test('converts the name to a string', () => {
    const { server } = state(asked(1, 'initialize'), answered(1, { serverInfo: { name: {}, version: 3, title: 1 } }));
    expect(server.info).toEqual({ name: '', version: '3', title: undefined });
  });

  test('ignores an initialize from the server', () => {
    const theirs = got({ jsonrpc: '2.0', id: 1, method: 'initialize' });
    const ours = { ...answered(1, { serverInfo: { name: 'fake', version: '' } }), direction: 'to-server' as const };
    expect(state(theirs, ours).server).toEqual({});
  });
});

describe('lines on stdout that are not MCP', () => {
  test('are counted without blank ones and messages, and the first are listed', () => {
    const lines = Array.from({ length: JUNK_SEQS + 1 }, (_, n) => got(`line ${n}`));
    const { junk } = state(got(''), got(' \t\r'), got('hello'), answered(1, {}), sent('typed'), ...lines);
    expect(junk.count).toBe(JUNK_SEQS + 2);
    expect(junk.seqs).toHaveLength(JUNK_SEQS);
    expect(junk.seqs.slice(0, 2)).toEqual([3, 6]);
  });

  test('are those of the newest process', () => {
    const seeds = [happened(start), happened({ event: 'spawned', pid: 1 }), got('one'), got('two')];
    expect(state(...seeds).junk).toEqual({ seqs: [3, 4], count: 2 });
    expect(state(...seeds, happened({ event: 'spawned', pid: 2 }), got('three')).junk).toEqual({ seqs: [6], count: 1 });
  });
});

describe('stderr', () => {
  test('counts all bytes and keeps the newest seqs', () => {
    const count = STDERR_SEQS * 2 + 5;
    const { stderr } = state(...Array.from({ length: count }, () => complained('é')));
    expect(stderr.count).toBe(count);
    expect(stderr.bytes).toBe(count * 2);
    expect(stderr.seqs).toHaveLength(STDERR_SEQS);
    expect([stderr.seqs[0], stderr.seqs.at(-1)]).toEqual([count - STDERR_SEQS + 1, count]);
  });

  test('does not affect other state', () => {
    const log = logOf(happened(start));
    const before = log.state;
    log.append(framesOf([happened(start), complained('x')]));
    expect(log.state).not.toBe(before);
    expect(log.state.connection).toBe(before.connection);
    expect(log.state.tools).toBe(before.tools);
  });
});

test('counts log messages and measures their loggers', () => {
  const said = (logger?: unknown) =>
    got({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x', logger } });
  const counted = (...seeds: FrameSeed[]) => {
    const { logMessages, longestLogger } = state(...seeds);
    return [logMessages, longestLogger];
  };
  expect(counted()).toEqual([0, 0]);
  expect(counted(said(), said(12345))).toEqual([2, 0]);
  expect(counted(said('http'), said('database'), said('cli'))).toEqual([3, 8]);
});
