import type { TaskFacts, TaskWish } from '@/lib/wire/task';
import { usageError } from '@/proxy/cli/exit-code';
import { type GivenOptions, lastValue } from '@/proxy/cli/grammar';
import type { Output } from '@/proxy/cli/output';

/** Reads `--task` and `--ttl`; undefined without `--task`. Throws an ExitError. */
export function readTaskWish(given: GivenOptions): TaskWish | undefined {
  const ttl = lastValue(given, 'ttl');
  if (!given.has('task')) {
    if (ttl !== undefined) throw usageError('`--ttl` is for tasks only: add `--task`, or remove it.');
    return undefined;
  }
  if (lastValue(given, 'protocol') === 'none') {
    throw usageError('`--task` needs the handshake: remove `--protocol none`, or send the messages with `raw`.');
  }
  if (ttl === undefined) return {};
  if (/^\d{1,15}$/.test(ttl)) return { ttl: Number(ttl) };
  throw usageError(`\`--ttl ${ttl.slice(0, 60)}\` is invalid: give a whole number of milliseconds.`);
}

/** Returns a function that prints the status of a task on stderr, each time that it changes. */
export function printTaskReports(out: Output): (facts: TaskFacts) => void {
  let last: string | undefined;
  return ({ taskId, status, statusMessage }) => {
    const text = statusMessage === undefined ? status : `${status} ${statusMessage}`;
    if (text === last) return;
    out.printNote('task', last === undefined ? `${taskId} ${text}` : text);
    last = text;
  };
}
