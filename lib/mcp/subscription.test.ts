import { describe, expect, test } from 'vitest';
import type { JsonObject } from '@/lib/json/value';
import { ConnectionError } from '@/lib/transports/transport';
import { LIMITS } from '@/lib/wire/limits';
import { FakeClock } from '@/lib/wire/test-clock';
import type { RequestOutcome } from './requests';
import { Subscription } from './subscription';

/** An engine whose streams end when the test says so. */
function listening(capabilities: JsonObject) {
  const clock = new FakeClock();
  const asked: (string | undefined)[] = [];
  let end: ((outcome: RequestOutcome) => void) | undefined;
  const engine = {
    cancel: () => true,
    sendRequest(method: string, params?: string) {
      asked.push(`${method} ${params}`);
      return {
        id: asked.length,
        seq: asked.length,
        outcome: new Promise<RequestOutcome>((resolve) => (end = resolve)),
      };
    },
  };
  const subscription = new Subscription(engine, clock);
  subscription.start(capabilities);
  const ended = async (outcome: RequestOutcome): Promise<void> => {
    end?.(outcome);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { asked, clock, ended, subscription };
}

const BOTH = { tools: { listChanged: true }, prompts: {}, resources: { listChanged: true }, logging: {} };
const REQUEST = 'subscriptions/listen {"notifications":{"toolsListChanged":true,"resourcesListChanged":true}}';

describe('subscribes', () => {
  test('to all declared changes in one request', () => {
    expect(listening(BOTH).asked).toEqual([REQUEST]);
  });

  test.each([{}, { tools: {} }, { tools: { listChanged: 'yes' } }, { tools: [], prompts: null }])(
    'to nothing for %j',
    (said) => {
      expect(listening(said as JsonObject).asked).toEqual([]);
    },
  );
});

describe('when the stream ends', () => {
  test.each<RequestOutcome>([
    { kind: 'result', result: {} },
    { kind: 'error', error: { code: -32601, message: '' } },
    { kind: 'cancelled' },
    { kind: 'lost', http: { code: 'http-status', message: 'HTTP 405.', advice: '', status: 405 } },
  ])('%j: is not asked for again', async (outcome) => {
    const { asked, clock, ended } = listening(BOTH);
    await ended(outcome);
    expect(asked).toHaveLength(1);
    expect(clock.waiting).toBe(0);
  });

  test('lost: is asked for again with growing delays, a limited number of times', async () => {
    const { asked, clock, ended } = listening(BOTH);
    for (let loss = 0; loss < LIMITS.streamRetries; loss++) {
      await ended({ kind: 'lost' });
      expect(asked).toHaveLength(loss + 1);
      clock.advance(LIMITS.streamRetryFirstMs * 2 ** loss);
      expect(asked).toHaveLength(loss + 2);
    }
    await ended({ kind: 'lost' });
    expect(clock.waiting).toBe(0);
  });

  test('a stream that lasted resets the count', async () => {
    const { asked, clock, ended } = listening(BOTH);
    for (let loss = 0; loss < 2 * LIMITS.streamRetries; loss++) {
      clock.advance(LIMITS.streamRetryLastMs + 1);
      await ended({ kind: 'lost' });
      clock.advance(LIMITS.streamRetryFirstMs);
    }
    expect(asked).toHaveLength(2 * LIMITS.streamRetries + 1);
  });

  test('is not asked for again after stop or the end of the connection', async () => {
    const first = listening(BOTH);
    await first.ended({ kind: 'lost' });
    first.subscription.stop();
    expect(first.clock.waiting).toBe(0);
    const gone = () => {
      throw new ConnectionError({ code: 'gone', message: 'Gone.', advice: 'Restart.' });
    };
    new Subscription({ sendRequest: gone, cancel: () => true }, new FakeClock()).start(BOTH);
    await new Promise((resolve) => setImmediate(resolve));
  });
});
