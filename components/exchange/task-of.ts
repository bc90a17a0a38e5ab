import { useLogState } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import type { Task } from '@/lib/store/state/tasks';

/** Returns the task that a call started. */
export function useTaskOf(log: Log, call: number | undefined): Task | undefined {
  return useLogState(log, ({ tasks }) =>
    call === undefined ? undefined : tasks.all.find((task) => task.call === call),
  );
}
