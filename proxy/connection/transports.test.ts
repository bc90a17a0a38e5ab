import { describe, expect, test } from 'vitest';
import { SseTransport } from '@/lib/transports/sse';
import { StreamableHttp } from '@/lib/transports/streamable-http';
import { systemClock } from '@/lib/wire/clock';
import { Reaper } from '@/proxy/process/reaper';
import { resolveLaunch } from './launch';
import { StdioTransport } from './stdio';
import { RecordingSink } from './test-sink';
import { createTransport } from './transports';

const sink = new RecordingSink();
const context = { sink, clock: systemClock, reaper: new Reaper(), version: '0', allowLinkLocal: false };
const url = 'http://127.0.0.1:1/';

describe('transport registry', () => {
  test.each([
    [{ transport: 'stdio', command: 'node', args: [] }, StdioTransport],
    [{ transport: 'auto', url }, StreamableHttp],
    [{ transport: 'http', url }, StreamableHttp],
    [{ transport: 'sse', url }, SseTransport],
  ] as const)('%j', (target, kind) => {
    expect(createTransport(resolveLaunch(target, 'auto', []), context)).toBeInstanceOf(kind);
    expect(sink.frames).toEqual([]);
  });
});
