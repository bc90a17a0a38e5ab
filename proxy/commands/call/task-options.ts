import type { TaskFacts, TaskWish } from '@/lib/wire/task';
import { usageError } from '@/proxy/cli/exit-code';
import { lastValue, type ParsedOptions } from '@/proxy/cli/grammar';
import type { CommandOutput } from '@/proxy/cli/output';

/** Reads `--task`: `auto`, or how long the server keeps the task; undefined without it. Throws an ExitError. */
export function readTaskWish(given: ParsedOptions): TaskWish | undefined {
  const ttl = lastValue(given, 'task');
  if (ttl === undefined) return undefined;
  if (lastValue(given, 'protocol') === 'none') {
    throw usageError('`--task` needs the handshake: remove `--protocol none`, or send the messages with `raw`.');
  }
  if (ttl === 'auto') return {};
  if (/^\d{1,15}$/.test(ttl)) return { ttl: Number(ttl) };
  throw usageError(`\`--task ${ttl.slice(0, 60)}\` is invalid: write auto, or a whole number of milliseconds.`);
}

/** Returns a function that prints the status of a task on stderr, each time that it changes. */
export function printTaskReports(out: CommandOutput): (facts: TaskFacts) => void {
  let last: string | undefined;
  return ({ taskId, status, statusMessage }) => {
    const text = statusMessage === undefined ? status : `${status} ${statusMessage}`;
    if (text === last) return;
    out.printNote('task', last === undefined ? `${taskId} ${text}` : text);
    last = text;
  };
}
