import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type OpenedSession, openSession } from '@/lib/session/open-session';
import type { RecordedSession } from '@/lib/session/recorded-session';
import { Log } from '@/lib/store/log';
import { systemClock } from '@/lib/wire/clock';
import type { Target } from '@/lib/wire/command';
import { openHub, type TestTab } from '../connection/test-tab';
import { openFile } from '../recorder/open-file';
import { Recorder } from '../recorder/recorder';

/** A request to make. */
export interface Call {
  readonly method: string;
  readonly params: { readonly [key: string]: unknown };
}

/** What is answered to the server's questions, by method. */
export const ANSWERS: Readonly<Record<string, object>> = {
  'sampling/createMessage': { role: 'assistant', model: 'm', content: { type: 'text', text: 'Sampled.' } },
  'elicitation/create': { action: 'accept', content: { n: 7 } },
};

/** Connects as our page does, makes the calls one after the other, answers questions, and opens what was recorded of it. */
export async function capture(folder: string, target: Target, calls: readonly Call[]): Promise<OpenedSession> {
  const recorder = new Recorder({ clock: systemClock, version: '0', folder });
  const open = await openHub(systemClock, undefined, undefined, recorder);
  try {
    const tab = await open.tab();
    const connection = await tab.connect(target);
    const seen = follow(tab, connection);
    await tab.until(() => seen().state.tools.status === 'listed');
    for (const { method, params } of calls) {
      const asked = await tab.ask({ type: 'request', connection, method, params: JSON.stringify(params) });
      // A call that asked for input is sent again, which is done when nothing waits any more.
      await tab.until(() => {
        const { status } = seen().exchange((asked as { seq: number }).seq)!;
        const wants = tab.texts('protocol').filter((text) => text.includes('"input_required"')).length;
        const again = tab.texts('lifecycle').filter((text) => text.includes('"event":"retry"')).length;
        return status !== 'pending' && wants === again && seen().exchange(latest(seen(), method))?.status !== 'pending';
      });
    }
    await tab.ask({ type: 'close', connection });
    await tab.lifecycle('closed');
  } finally {
    await open.close();
  }
  const path = join(folder, readdirSync(folder).find((name) => name.endsWith('.mcpr.jsonl'))!);
  const opened = await openSession((await openFile(path)).bytes);
  expect(opened.report.complete).toBe(true);
  return opened;
}

/** The log so far; whatever waits in it is answered. */
function follow(tab: TestTab, connection: string): () => Log {
  const log = new Log('c');
  const answered = new Set<string>();
  return () => {
    log.append(tab.frames);
    for (const { key, id, input, method } of log.state.inbox.waiting) {
      if (answered.has(key)) continue;
      answered.add(key);
      const answer = { result: JSON.stringify(ANSWERS[method]) };
      tab.send({ type: 'answer', ref: key, connection, id, answer, ...(input !== undefined && { key: input }) });
    }
    return log;
  };
}

function latest(log: Log, method: string): number {
  for (let index = log.size - 1; index >= 0; index--) {
    const row = log.row(index);
    if (row.kind === 'request' && row.method === method && row.direction === 'to-server') return row.seq;
  }
  return 0;
}

/** The results that ended each call, in order, parsed. */
export function recordedResults({ sent }: RecordedSession, calls: readonly Call[]): readonly unknown[] {
  const results = sent.flatMap((message) => {
    if (message.kind !== 'call' || !calls.some(({ method }) => method === message.method)) return [];
    const result = JSON.parse(message.answer!.text) as { readonly resultType?: string };
    return result.resultType === 'input_required' ? [] : [result];
  });
  return results;
}
