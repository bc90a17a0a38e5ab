import { Button } from '@/components/ui/button';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { navigate } from '@/lib/hooks/location';
import { useLogState } from '@/lib/hooks/log';
import { useLogClock } from '@/lib/hooks/log-clock';
import type { Log } from '@/lib/store/log';
import { isTaskRunning, type Task } from '@/lib/store/state/tasks';
import { formatDuration } from '@/lib/wire/format';
import { Remaining } from './elapsed';
import { FrameLink } from './frame-link';
import type { Request } from './use-request';

/** Returns the task that a call started. */
export function useTaskOf(log: Log, call: number | undefined): Task | undefined {
  return useLogState(log, ({ tasks }) =>
    call === undefined ? undefined : tasks.all.find((task) => task.call === call),
  );
}

/** The task of the newest call: its status while it runs, and one line about it afterwards. */
export function TaskStatus({ request }: { readonly request: Request }) {
  const { log, exchange } = request;
  const task = useTaskOf(log, exchange?.task && exchange.requestSeq);
  if (!task) return null;
  const isRunning = isTaskRunning(task);
  return (
    <section aria-label="Task" className="flex min-w-0 flex-col gap-1 border-l-2 border-line pl-3">
      <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <TaskWord task={task} />
        {task.statusMessage !== undefined && (
          <span className="min-w-0 break-words">
            <UntrustedText text={task.statusMessage} limit={300} />
          </span>
        )}
      </div>
      <p className="tabular flex flex-wrap gap-x-2 text-small text-muted">
        <TaskTimes log={log} task={task} />
        <FrameLink seq={task.seq} label="newest report" />
        <button type="button" className="text-link" onClick={() => navigate({ panel: 'tasks', item: task.taskId })}>
          Open in Tasks
        </button>
      </p>
      {isRunning && !request.readOnly && (
        <div>
          <Button size="small" onClick={request.cancel} disabled={request.closed !== undefined}>
            Cancel task
          </Button>
        </div>
      )}
    </section>
  );
}

/** Says how a task is over although its server has not ended it. */
export function taskEndLabel({ left, lost }: Task): string | undefined {
  if (left !== undefined) return 'given up';
  return lost ? 'connection ended' : undefined;
}

/** The status of a task as the server says it, in a colour if it needs attention. */
export function TaskWord({ task }: { readonly task: Task }) {
  const ended = taskEndLabel(task);
  return (
    <span role="status" className="shrink-0">
      <span className="text-muted">Task</span>{' '}
      <code className={`font-mono text-wire ${TONES.get(task.status) ?? ''}`}>
        <UntrustedText text={task.status} limit={60} />
      </code>
      {ended !== undefined && <span className="text-warn">, {ended}</span>}
    </span>
  );
}

const TONES: ReadonlyMap<string, string> = new Map([
  ['working', 'text-accent'],
  ['input_required', 'text-warn'],
  ['failed', 'text-error'],
  ['cancelled', 'text-warn'],
]);

/** How long the server keeps the task, and how often it wants to be asked. */
export function TaskTimes({ log, task }: { readonly log: Log; readonly task: Task }) {
  const now = useLogClock(log);
  const { ttlMs, pollMs, firstAt } = task;
  return (
    <>
      <span>
        {ttlMs === undefined && 'no time to live given'}
        {ttlMs === null && 'kept without limit'}
        {typeof ttlMs === 'number' && (
          <>
            kept {formatDuration(ttlMs * 1000)}
            {isTaskRunning(task) && log === log.whole && <Remaining until={firstAt + ttlMs * 1000} now={now} />}
          </>
        )}
      </span>
      <span>{pollMs === undefined ? 'no poll interval given' : `poll every ${formatDuration(pollMs * 1000)}`}</span>
    </>
  );
}
