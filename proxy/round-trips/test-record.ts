import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { type OpenedTraffic, openTraffic } from '@/lib/replay/traffic/open-traffic';
import { Log } from '@/lib/store/log';
import { systemClock } from '@/lib/wire/clock';
import type { Target } from '@/lib/wire/command';
import type { Frame } from '@/lib/wire/frame';
import { openHub, type TestTab } from '@/proxy/connection/test-hub';
import { openFile } from '../recorder/open-file';
import { Recorder } from '../recorder/recorder';
import { type Act, ANSWERS, type Result } from './test-acts';
import type { Trip } from './test-trips';

/** A recorded connection: the file, its frames, and the state of the live page and of a page that opened the file. */
export interface Recorded {
  readonly file: string;
  readonly opened: OpenedTraffic;
  readonly frames: readonly Frame[];
  readonly live: Derived;
  readonly reopened: Derived;
}

/** Everything that a log derives from its frames. */
export type Derived = ReturnType<typeof derived>;

function derived(log: Log) {
  const rows = Array.from({ length: log.size }, (_, index) => ({
    row: log.row(index),
    text: log.text(index),
    exchange: log.exchange(index + 1),
  }));
  return { state: log.state, rows, bytes: log.totalBytes };
}

/** A busy machine may take seconds to write the last line. */
const LAST_LINE = { timeout: 10_000 };

/** Connects like the page, makes the requests, answers the server's, disconnects, and opens the recording. */
export async function record(
  folder: string,
  target: Target,
  { acts, protocol = 'auto' }: Pick<Trip, 'acts' | 'protocol'>,
): Promise<Recorded> {
  const recorder = new Recorder({ clock: systemClock, version: '0', folder });
  const open = await openHub(systemClock, undefined, undefined, recorder);
  try {
    const tab = await open.tab();
    const connection = await tab.connect(target, 'open', protocol);
    const seen = follow(tab, connection);
    await tab.until(() => isRead(seen()));
    let last = {} as Result;
    for (const { params = {}, ...act } of acts) {
      const made = typeof params === 'function' ? params({ last, folder }) : params;
      last = await perform(act, JSON.stringify(made), { tab, connection, seen });
    }
    await tab.ask({ type: 'close', connection });
    await tab.lifecycle('closed');
    const live = derived(seen());

    const file = join(folder, readdirSync(folder).find((name) => name.endsWith('.mcpr.jsonl'))!);
    // The page learns of the end before the file's last line is written.
    const opened = await vi.waitFor(async () => {
      const session = await openTraffic((await openFile(file)).bytes);
      expect(session.report).toMatchObject({ complete: true, damaged: { count: 0 }, missing: 0, unknown: 0 });
      return session;
    }, LAST_LINE);
    const { id } = await open.hub.openFile(await openFile(file));
    const second = await open.tab();
    second.send({ type: 'attach', connection: id, after: 0 });
    await second.until(() => second.frames.length >= live.rows.length);
    const reopened = new Log('c');
    reopened.append(second.frames);
    return { file, opened, frames: second.frames, live, reopened: derived(reopened) };
  } finally {
    await open.close();
  }
}

interface Page {
  readonly tab: TestTab;
  readonly connection: string;
  seen(): Log;
}

/** Makes a request and waits until nothing is pending. Resolves with the result, or an empty one. */
async function perform(
  { method, cancelled, awaits }: Omit<Act, 'params'>,
  params: string,
  { tab, connection, seen }: Page,
): Promise<Result> {
  const asked = await tab.ask({ type: 'request', connection, method, params });
  const { seq } = asked as { seq: number };
  if (cancelled) {
    await tab.until(() => seen().exchange(seq)?.progress !== undefined);
    await tab.ask({ type: 'cancel', connection, id: seen().exchange(seq)!.id });
  }
  // A call that asked for input is sent again; it is done when every input request has had its retry.
  await tab.until(() => {
    const log = seen();
    const wants = tab.texts('protocol').filter((text) => text.includes('"input_required"')).length;
    const again = tab.texts('lifecycle').filter((text) => text.includes('"event":"retry"')).length;
    const ended = log.exchange(seq)?.status !== 'pending' && log.exchange(newest(log, method))?.status !== 'pending';
    return ended && wants === again && (!awaits || tab.texts('protocol').some((text) => text.includes(awaits)));
  });
  const answer = seen().exchange(seq)?.responseSeq;
  return answer === undefined ? ({} as Result) : JSON.parse(seen().text(answer - 1)).result;
}

/** True once the server has identified itself and no list is still being read. */
function isRead({ state: { server, tools, resources, templates, prompts } }: Log): boolean {
  return server.seq !== undefined && ![tools, resources, templates, prompts].some(({ status }) => status === 'listing');
}

/** Returns a function that gives the log so far and answers every server request waiting in it. */
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

function newest(log: Log, method: string): number {
  for (let index = log.size - 1; index >= 0; index--) {
    const row = log.row(index);
    if (row.kind === 'request' && row.method === method && row.direction === 'to-server') return row.seq;
  }
  return 0;
}
