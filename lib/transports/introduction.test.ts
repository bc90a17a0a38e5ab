import { expect, test } from 'vitest';
import { LIMITS } from '@/lib/wire/limits';
import { FakeClock } from '@/lib/wire/test-clock';
import { Introduction } from './introduction';

const settled = () => new Promise((resolve) => setTimeout(resolve));

function sending() {
  const [clock, introduction] = [new FakeClock(), new Introduction()];
  const sent: string[] = [];
  const answers = new Map<string, (answer: string) => void>();
  const send = (method: string): void => {
    const ask = (): Promise<string> => {
      sent.push(method);
      return new Promise((resolve) => answers.set(method, resolve));
    };
    void introduction.ask(method, clock, ask);
  };
  return { clock, sent, send, answers };
}

test('nothing is sent before the server has taken the introduction', async () => {
  const { sent, send, answers } = sending();
  for (const method of ['initialize', 'notifications/initialized', 'tools/list']) send(method);
  expect(sent).toEqual(['initialize', 'notifications/initialized']);
  answers.get('notifications/initialized')!('');
  await settled();
  send('ping');
  expect(sent.slice(2)).toEqual(['tools/list', 'ping']);
});

test('a server that does not answer that is not waited for long', async () => {
  const { clock, sent, send } = sending();
  for (const method of ['notifications/initialized', 'tools/list']) send(method);
  clock.advance(LIMITS.introductionMs);
  await settled();
  expect(sent).toContain('tools/list');
});
