import { Checkbox } from '@/components/ui/inputs';
import { useDraft } from '@/lib/hooks/drafts';
import { useLogState } from '@/lib/hooks/log';
import type { Log } from '@/lib/store/log';
import type { ToolEntry } from '@/lib/store/state/state';
import { CALLS_AS_TASKS, declaresTasks, type TaskWish, taskSupportOf } from '@/lib/wire/task';

/** Whether a tool's next call runs as a task (2025-11-25). */
interface TaskChoiceState {
  /** Set if the call runs as a task. */
  readonly wish: TaskWish | undefined;
  /** Why the tool can't be called. */
  readonly blocked?: string;
  /** `choice`: the user decides. `always`: the tool requires a task. */
  readonly offer?: 'choice' | 'always';
  readonly set: (wanted: boolean) => void;
}

const AS_TASK: TaskWish = {};

/**
 * Returns whether this tool's next call runs as a task. A tool decides whether it can or must. In 2026-07-28 the server
 * decides with each call, so nothing is offered.
 */
export function useTaskChoice(log: Log, tool: ToolEntry): TaskChoiceState {
  const server = useLogState(log, (state) => state.connection.start?.name ?? '');
  const isTaskVersion = useLogState(log, (state) => state.connection.version === '2025-11-25');
  const declared = useLogState(log, (state) => declaresTasks(state.server.capabilities, CALLS_AS_TASKS));
  const [wanted, set] = useDraft(`task:${server} ${tool.key}`, false);
  const support = isTaskVersion ? taskSupportOf(tool.raw) : 'forbidden';
  if (support === 'forbidden') return { wish: undefined, set };
  if (!declared) return { wish: undefined, set, ...(support === 'required' && { blocked: UNDECLARED }) };
  if (support === 'required') return { wish: AS_TASK, offer: 'always', set };
  return { wish: wanted ? AS_TASK : undefined, offer: 'choice', set };
}

const UNDECLARED = 'Requires a task, but the server declares no tasks';

/** Offers to run the next call as a task, or says that it does. */
export function TaskChoice({ choice: { offer, wish, set } }: { readonly choice: TaskChoiceState }) {
  if (offer === undefined) return null;
  if (offer === 'always') {
    return (
      <span className="text-small text-muted" title="This tool requires it (taskSupport: required)">
        Runs as a task
      </span>
    );
  }
  return <Checkbox label="Run as task" checked={wish !== undefined} onChange={set} />;
}
