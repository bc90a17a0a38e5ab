import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { TextInput } from '@/components/ui/inputs';
import { useDraft } from '@/lib/hooks/drafts';
import { formatCount } from '@/lib/wire/format';
import { BATCH_LIMITS, type BatchPlan } from './call-batch';

const FIRST: BatchPlan = { calls: 10, jobs: 5 };

interface BatchDialogProps {
  readonly onStart: (plan: BatchPlan) => void;
  readonly onClose: () => void;
}

/** Asks how often to call, and how many calls to have in flight. */
export function BatchDialog({ onStart, onClose }: BatchDialogProps) {
  const [last, setLast] = useDraft('batch plan', FIRST);
  const [calls, setCalls] = useState(String(last.calls));
  const [jobs, setJobs] = useState(String(last.jobs));
  const plan = readPlan(calls, jobs);
  const start = () => {
    if (plan === undefined) return;
    setLast(plan);
    onClose();
    onStart(plan);
  };
  return (
    <Dialog title="Call several times" width="narrow" onClose={onClose}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          start();
        }}
      >
        <div className="grid grid-cols-2 gap-3">
          <TextInput
            label={`Calls, 1 to ${formatCount(BATCH_LIMITS.calls)}`}
            inputMode="numeric"
            value={calls}
            onChange={setCalls}
            aria-invalid={readWhole(calls, BATCH_LIMITS.calls) === undefined || undefined}
          />
          <TextInput
            label={`At once, 1 to ${BATCH_LIMITS.jobs}`}
            inputMode="numeric"
            value={jobs}
            onChange={setJobs}
            aria-invalid={readWhole(jobs, BATCH_LIMITS.jobs) === undefined || undefined}
          />
        </div>
        <p className="text-small text-muted">
          Each call has the same arguments and _meta. With 1 at once, one follows the other.
        </p>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={plan === undefined}>
            {plan ? `Call ×${formatCount(plan.calls)}` : 'Call'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Returns the plan that two texts give; undefined if one is not a number within its limit. */
export function readPlan(calls: string, jobs: string): BatchPlan | undefined {
  const [all, atOnce] = [readWhole(calls, BATCH_LIMITS.calls), readWhole(jobs, BATCH_LIMITS.jobs)];
  return all === undefined || atOnce === undefined ? undefined : { calls: all, jobs: Math.min(all, atOnce) };
}

function readWhole(text: string, most: number): number | undefined {
  const value = /^\d{1,6}$/.test(text.trim()) ? Number(text) : 0;
  return value >= 1 && value <= most ? value : undefined;
}
