import { describe, expect, test } from 'vitest';
import { systemClock } from '@/lib/wire/clock';
import { Reaper } from '@/proxy/process/reaper';
import { RecordingSink } from './recording-sink';
import { createTransport } from './registry';
import { StdioTransport } from './stdio';

const context = { sink: new RecordingSink(), clock: systemClock, reaper: new Reaper(), env: process.env, cwd: '/' };

describe('transport registry', () => {
  test('makes a transport for a stdio target, and starts nothing', () => {
    const transport = createTransport({ transport: 'stdio', command: 'node', args: [] }, context);
    expect(transport).toBeInstanceOf(StdioTransport);
    expect(context.sink.frames).toEqual([]);
  });

  test.each(['http', 'sse'] as const)('refuses %s with advice', (transport) => {
    expect(() => createTransport({ transport, url: 'http://127.0.0.1:1/' }, context)).toThrow(
      expect.objectContaining({ code: 'transport-unsupported', advice: expect.stringContaining('stdio') }),
    );
  });
});
