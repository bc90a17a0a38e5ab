import { Button } from '@/components/ui/button';
import { ErrorNote, Spinner } from '@/components/ui/notices';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { useLocation } from '@/lib/hooks/location';
import type { ListChange, ListKind } from '@/lib/store/list-changes';
import { countOf } from '@/lib/wire/format';
import type { Trial } from './use-trials';

const STEPS = { waiting: 'Waiting…', connecting: 'Connecting…', listing: 'Reading lists…' } as const;

const KINDS: Readonly<Record<ListKind, string>> = {
  tools: 'tool',
  resources: 'resource',
  templates: 'template',
  prompts: 'prompt',
};

const CHANGES = {
  removed: { glyph: '−', words: 'vanishes' },
  added: { glyph: '+', words: 'appears' },
  changed: { glyph: '~', words: 'changes' },
} as const;

/** Changes that are shown. The run in the list of servers has all of them. */
const MOST = 200;

/** The changes in a server's lists with one capability switched, or how far they are known. */
export function TrialResult({ on, trial }: { readonly on: boolean; readonly trial: Trial | undefined }) {
  const { navigate } = useLocation();
  if (!trial) return null;
  const show = (run: string) => (
    <Button
      size="small"
      variant="ghost"
      onClick={() => navigate({ connection: run, item: undefined, frame: undefined })}
    >
      Show this run
    </Button>
  );
  if (trial.step === 'failed') {
    return (
      <div className="py-1 pl-6">
        <ErrorNote failure={trial.failure}>{trial.run !== undefined && show(trial.run)}</ErrorNote>
      </div>
    );
  }
  if (trial.step !== 'done') {
    return (
      <p role="status" className="flex items-center gap-2 py-1 pl-6 text-muted">
        <Spinner /> {STEPS[trial.step]}
      </p>
    );
  }
  const { changes, run } = trial;
  return (
    <div role="status" className="mb-1 ml-6 border-l-2 border-line py-1 pl-3">
      <p className="flex flex-wrap items-center gap-x-2">
        {on ? 'Without it' : 'With it'}: {changes.length === 0 ? 'nothing changes' : countOf(changes.length, 'change')}
        {show(run)}
      </p>
      {changes.length > 0 && (
        <ul className="flex flex-col gap-0.5">
          {changes.slice(0, MOST).map((change) => (
            <Change key={`${change.kind} ${change.change} ${change.key}`} change={change} />
          ))}
        </ul>
      )}
      {changes.length > MOST && <p className="text-muted">and {changes.length - MOST} more</p>}
    </div>
  );
}

function Change({ change: { kind, key, change } }: { readonly change: ListChange }) {
  const { glyph, words } = CHANGES[change];
  return (
    <li className="flex min-w-0 items-baseline gap-2">
      <span aria-hidden="true" className="w-3 shrink-0 text-center font-mono">
        {glyph}
      </span>
      <span className="shrink-0 text-muted">{KINDS[kind]}</span>
      <UntrustedText text={key || '(no name)'} limit={300} className="min-w-0 font-mono text-wire break-words" />
      <span className="shrink-0 text-muted">{words}</span>
    </li>
  );
}
