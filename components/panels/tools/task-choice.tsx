import { Checkbox, TextInput } from '@/components/ui/inputs';
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
  /** How long the server shall keep the task, in ms, as typed. */
  readonly ttl: string;
  readonly setTtl: (ttl: string) => void;
}

/**
 * Returns whether this tool's next call runs as a task. A tool decides whether it can or must. In 2026-07-28 the server
 * decides with each call, so nothing is offered.
 */
export function useTaskChoice(log: Log, tool: ToolEntry): TaskChoiceState {
  const server = useLogState(log, (state) => state.connection.start?.name ?? '');
  const isTaskVersion = useLogState(log, (state) => state.connection.version === '2025-11-25');
  const declared = useLogState(log, (state) => declaresTasks(state.server.capabilities, CALLS_AS_TASKS));
  const [wanted, set] = useDraft(`task:${server} ${tool.key}`, false);
  const [ttl, setTtl] = useDraft(`ttl:${server} ${tool.key}`, '');
  const support = isTaskVersion ? taskSupportOf(tool.raw) : 'forbidden';
  const typed = { set, ttl, setTtl };
  if (support === 'forbidden') return { wish: undefined, ...typed };
  if (!declared) return { wish: undefined, ...typed, ...(support === 'required' && { blocked: UNDECLARED }) };
  const always = support === 'required';
  const wish = always || wanted ? wishOf(ttl) : undefined;
  return { wish, offer: always ? 'always' : 'choice', ...typed, ...(wish && !isTtl(ttl) && { blocked: NO_TTL }) };
}

function wishOf(ttl: string): TaskWish {
  return ttl.trim() === '' ? {} : { ttl: Number(ttl) };
}

function isTtl(ttl: string): boolean {
  return /^\s*\d{0,15}\s*$/.test(ttl);
}

const UNDECLARED = 'Requires a task, but the server declares no tasks';
const NO_TTL = 'The ttl is not a whole number of milliseconds';

/** Offers to run the next call as a task, or says that it does, with the time that the server shall keep the task. */
export function TaskChoice({ choice: { offer, wish, set, ttl, setTtl } }: { readonly choice: TaskChoiceState }) {
  if (offer === undefined) return null;
  return (
    <span className="flex items-center gap-2 whitespace-nowrap">
      {offer === 'choice' ? (
        <Checkbox label="Run as task" checked={wish !== undefined} onChange={set} />
      ) : (
        <span className="text-small text-muted" title="This tool requires it (taskSupport: required)">
          Runs as a task
        </span>
      )}
      {wish && (
        <span className="w-24">
          <TextInput
            aria-label="ttl of the task in ms"
            title="How long the server keeps the task, in ms. Empty: as it likes"
            placeholder="ttl in ms"
            inputMode="numeric"
            aria-invalid={!isTtl(ttl)}
            value={ttl}
            onChange={setTtl}
          />
        </span>
      )}
    </span>
  );
}
