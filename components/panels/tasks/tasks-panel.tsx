import { type ReactNode, useMemo } from 'react';
import { FrameLink } from '@/components/exchange/frame-link';
import { taskEndLabel } from '@/components/exchange/task-status';
import { useRequest } from '@/components/exchange/use-request';
import { Button } from '@/components/ui/button';
import { EmptyState, ErrorNote } from '@/components/ui/notices';
import { useLocation } from '@/lib/hooks/location';
import { useLogState } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import { messageSource } from '@/lib/store/message-source';
import { isTaskRunning } from '@/lib/store/state/tasks';
import { countOf } from '@/lib/wire/format';
import { Catalogue } from '../shared/catalogue';
import { TaskDetail } from './task-detail';
import { type TaskTerms, taskTerms } from './task-terms';

/** The tasks that the server runs for the client, newest first. */
export function TasksPanel({ log }: { readonly log: Log }) {
  const { all } = useLogState(log, (state) => state.tasks);
  const { item } = useLocation();
  const tasks = useMemo(() => all.toReversed(), [all]);
  const items = useMemo(
    () =>
      tasks.map((task) => ({
        key: task.taskId,
        name: task.tool ?? task.taskId,
        detail: [task.status, taskEndLabel(task), task.statusMessage].filter(Boolean).join(' · '),
        searchText: task.taskId,
        ...(isTaskRunning(task) && { attention: task.status === 'input_required' ? 'asks' : 'running' }),
      })),
    [tasks],
  );
  const task = item === undefined ? tasks[0] : tasks.find(({ taskId }) => taskId === item);
  const bar = <TaskListBar log={log} />;
  if (items.length === 0) return <NoTasks log={log} bar={bar} />;
  return (
    <Catalogue log={log} what="tasks" items={items} selected={task?.taskId} note={bar}>
      {task ? (
        <TaskDetail key={task.taskId} log={log} task={task} />
      ) : (
        <EmptyState title="This task is not in the log">Choose one from the list</EmptyState>
      )}
    </Catalogue>
  );
}

const WHY_EMPTY: Readonly<Record<TaskTerms, string>> = {
  list: 'Tasks started by tool calls appear here. You can also list the server’s tasks.',
  'no-list': 'Tasks started by tool calls appear here. This server can’t list its tasks.',
  extension: 'The server decides which calls become tasks. They appear here.',
  none: 'This server declares no tasks.',
};

function NoTasks({ log, bar }: { readonly log: Log; readonly bar: ReactNode }) {
  const terms = useLogState(log, taskTerms);
  const isOpen = useLogState(log, ({ connection }) => connection.opened === true);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {bar}
      <EmptyState title="No tasks yet">{isOpen && WHY_EMPTY[terms]}</EmptyState>
    </div>
  );
}

/** Lists the tasks again, where the server can: `tasks/list` of 2025-11-25. */
function TaskListBar({ log }: { readonly log: Log }) {
  const terms = useLogState(log, taskTerms);
  const request = useRequest(log, 'tasks/list', '');
  const seq = useLogState(log, () => log.latestRequest('tasks/list'));
  const exchange = useLogState(log, () => (seq === undefined ? undefined : log.exchange(seq)));
  if (terms !== 'list' || request.readOnly) return null;
  const answer = exchange?.responseSeq === undefined ? undefined : messageSource(log, exchange.responseSeq);
  const cursor = answer?.member('result')?.member('nextCursor');
  const [tasks, failed] = [answer?.member('result')?.member('tasks'), exchange?.status === 'error'];
  return (
    <div className="flex shrink-0 flex-col gap-1 px-2 pt-2">
      <div className="flex min-w-0 flex-wrap items-center gap-2">
        <Button
          disabled={request.closed !== undefined || exchange?.status === 'pending'}
          title={request.closed ?? 'Sends tasks/list'}
          onClick={() => request.send('{}')}
        >
          Refresh
        </Button>
        {cursor?.kind === 'string' && (
          <Button onClick={() => request.send(`{"cursor":${cursor.text}}`)} disabled={request.closed !== undefined}>
            Next page
          </Button>
        )}
        {exchange?.responseSeq !== undefined && (
          <span className="truncate text-small text-muted">
            {failed ? 'Listing failed' : countOf(Array.isArray(tasks?.value) ? tasks.value.length : 0, 'task')} in{' '}
            <FrameLink seq={exchange.responseSeq} label="the response" short />
          </span>
        )}
      </div>
      {request.failure && <ErrorNote failure={request.failure} />}
    </div>
  );
}
