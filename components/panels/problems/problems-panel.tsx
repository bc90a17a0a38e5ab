import { useDeferredValue, useState } from 'react';
import { EmptyState } from '@/components/ui/empty-state';
import { formatCount } from '@/components/ui/format';
import { Segmented } from '@/components/ui/segmented';
import { SEVERITY_COLOUR, SEVERITY_GLYPH, SEVERITY_WORD } from '@/components/ui/severity';
import { TextInput } from '@/components/ui/text-input';
import { useGap } from '@/lib/hooks/use-gap';
import { useLocation } from '@/lib/hooks/use-location';
import { useLogSize, useLogState } from '@/lib/hooks/use-log';
import { useCheckedFrames, useProblems, useRulesStopped } from '@/lib/hooks/use-problems';
import type { Log } from '@/lib/store/log';
import { grouped, LEVELS, type Level, type ProblemGroup } from './grouped';
import { ProblemItem } from './problem-item';

/** Problems of a group that are drawn at first. */
const SHOWN = 20;

/** What the version that was agreed on forbids or lacks, by rule. */
export function ProblemsPanel({ log }: { readonly log: Log }) {
  const list = useProblems(log);
  const checked = useCheckedFrames(log);
  const stopped = useRulesStopped(log);
  const damaged = useGap(log) === 'damage';
  const size = useLogSize(log);
  const version = useLogState(log, (state) => state.connection.version);
  const { item } = useLocation();
  const [level, setLevel] = useState<Level>('All');
  const [words, setWords] = useState('');
  const groups = grouped(list.all, level, useDeferredValue(words));
  const left = size - checked;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex min-h-9 shrink-0 flex-wrap items-center gap-2 border-b border-line px-3 py-1">
        <Segmented label="Show" names={LEVELS} chosen={level} onChoose={setLevel} />
        <div className="w-64 max-w-full">
          <TextInput
            type="search"
            aria-label="Filter problems"
            placeholder="Filter by rule, text or field"
            value={words}
            onChange={setWords}
          />
        </div>
        <p role="status" className="ml-auto text-muted">
          {progressWords(left, size, stopped, version)}
        </p>
      </div>
      {damaged && (
        <p className="shrink-0 border-b border-line px-3 py-1 text-muted">
          Frames of this recording are missing: that an answer has no request, and the like, is not held against
          anybody.
        </p>
      )}
      <div className="min-h-0 flex-1 overflow-auto">
        {groups.length === 0 ? (
          <Nothing found={list.all.length > 0} checking={left > 0} stopped={stopped} />
        ) : (
          groups.map((group) => <Group key={group.rule} group={group} item={item} />)
        )}
      </div>
    </div>
  );
}

/** How far the rules are. */
function progressWords(left: number, size: number, stopped: boolean, version: string | undefined): string {
  if (left === 0) return `${formatCount(size)} frames checked${version === undefined ? '' : ` against ${version}`}`;
  const of = `${formatCount(left)} of ${formatCount(size)} messages`;
  return stopped ? `Stopped, since a message takes too long to check: ${of} are not` : `Checking: ${of} left`;
}

function Nothing({
  found,
  checking,
  stopped,
}: {
  readonly found: boolean;
  readonly checking: boolean;
  readonly stopped: boolean;
}) {
  if (found) return <EmptyState title="No problem matches the filter" />;
  if (checking && stopped) return <EmptyState title="No problems as far as was checked" />;
  if (checking) return <EmptyState title="Checking…" />;
  return (
    <EmptyState title="No problems">
      Every frame is held against the version that was agreed on, as it comes. What the specification forbids, or wants
      and is not there, is listed here.
    </EmptyState>
  );
}

function Group({ group, item }: { readonly group: ProblemGroup; readonly item: string | undefined }) {
  const { rule, severity, title, advice, problems } = group;
  const [shown, setShown] = useState(SHOWN);
  return (
    <section aria-label={title} className="border-b border-line pb-1">
      <header className="px-3 pt-2">
        <h3 className="flex flex-wrap items-baseline gap-x-2 font-medium">
          <span className={SEVERITY_COLOUR[severity]}>
            <span aria-hidden="true">{SEVERITY_GLYPH[severity]} </span>
            {SEVERITY_WORD[severity]}
          </span>
          {title}
          <code className="font-normal text-small text-muted">{rule}</code>
        </h3>
        <p className="text-muted">{advice}</p>
      </header>
      <ul>
        {problems.slice(0, shown).map((problem) => (
          <ProblemItem key={problem.id} problem={problem} advice={advice} chosen={String(problem.id) === item} />
        ))}
      </ul>
      {problems.length > shown && (
        <button type="button" onClick={() => setShown(shown + SHOWN * 5)} className="px-3 text-accent underline">
          Show {formatCount(Math.min(problems.length - shown, SHOWN * 5))} more
        </button>
      )}
    </section>
  );
}
