import { Fragment, lazy, type ReactNode, Suspense, useState } from 'react';
import { Button, Segmented } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { EmptyState, Sentence } from '@/components/ui/notices';
import { useIsSlow, WorkProgress } from '@/components/ui/progress';
import { useLogBehind, useLogSize } from '@/lib/hooks/log';
import type { CallComparison } from '@/lib/replay/compare/call-diff';
import { missingListText } from '@/lib/replay/compare/catalogue';
import {
  type Comparison,
  comparedNothing,
  comparedText,
  isEqual,
  summarise,
  summaryText,
  toolTokensText,
} from '@/lib/replay/compare/comparison';
import { COMPARE_MODES, type CompareMode } from '@/lib/replay/compare/value-diff';
import { countOf, formatBytes, formatCount, progressText } from '@/lib/wire/format';
import type { ReadingProgress } from '@/lib/wire/recording-facts';
import {
  CallItem,
  CatalogueChanges,
  type ComparedSide,
  type ComparedSides,
  ResponsesDialog,
  ShowMore,
} from './differences';
import { ProblemChanges, useProblemChanges } from './problem-changes';
import { type ComparisonProgress, type ComparisonResult, useComparison } from './use-comparison';

const spanChanges = () => import('./span-changes');
const SpanChanges = lazy(spanChanges);
const SpanNote = lazy(() => spanChanges().then((file) => ({ default: file.SpanNote })));

/** Shows how two connections differ: what the server offers, and how it responded. Both may be live or recorded. */
export function CompareView({
  before,
  after,
  ready,
  reading,
  onSwap,
  onChoose,
}: {
  /** The baseline. */
  readonly before: ComparedSide;
  readonly after: ComparedSide;
  /** Both logs are read completely. A live log counts as read. */
  readonly ready: boolean;
  /** How far the files of both are read, until they are. */
  readonly reading: ReadingProgress | undefined;
  /** Swaps the two sides. */
  readonly onSwap: () => void;
  /** Chooses another connection to compare with. */
  readonly onChoose: () => void;
}) {
  const [mode, setMode] = useState<CompareMode>('semantic');
  const [turn, setTurn] = useState(0);
  const behind = useLogBehind(before.log) + useLogBehind(after.log);
  const sizes = [useLogSize(before.log), useLogSize(after.log)] as const;
  const isReady = ready && behind === 0 && Math.min(...sizes) > 0;
  const { result, progress: working, cancel } = useComparison(before.log, after.log, mode, isReady, turn);
  // Until the page has all frames, their number is the progress.
  const here = sizes[0] + sizes[1];
  const progress = working && behind > 0 ? { ...working, done: here, of: here + behind } : working;
  const isSlow = useIsSlow(result === undefined);
  const newer = result?.is === 'done' ? here - result.sizes[0] - result.sizes[1] : 0;
  return (
    <section aria-label="Comparison" className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3 py-1">
        <h2 className="sr-only">
          {before.title}, compared with {after.title}
        </h2>
        <dl className="grid min-w-0 grid-cols-[auto_minmax(0,1fr)] gap-x-2">
          {[before, after].map(({ label, title }) => (
            <Fragment key={label}>
              <dt className="text-muted">{label === 'before' ? 'Before' : 'After'}</dt>
              <dd className="truncate font-medium" title={title}>
                <bdi>{title}</bdi>
              </dd>
            </Fragment>
          ))}
        </dl>
        <Button size="small" variant="ghost" onClick={onSwap} title="Swap before and after">
          <Icon name="swap" /> Swap sides
        </Button>
        <span className="ml-auto flex flex-wrap items-center gap-2">
          <Segmented label="How to compare" names={COMPARE_MODES} chosen={mode} onChoose={setMode} />
          {newer > 0 && (
            <Button size="small" onClick={() => setTurn(turn + 1)}>
              Compare again ({formatCount(newer)} new)
            </Button>
          )}
          <Button size="small" variant="ghost" onClick={onChoose}>
            Compare with…
          </Button>
        </span>
      </div>
      <div className="flex min-h-8 items-center gap-3 border-b border-line px-3 py-1">
        {progress ? (
          <WorkProgress
            {...progress}
            {...reading}
            figures={reading ? progressText(reading) : figuresOf(progress)}
            onCancel={result ? cancel : onChoose}
          />
        ) : (
          <div className="flex flex-wrap items-center gap-x-3">
            <p role="status">{result && <Sentence text={resultText(result)} />}</p>
            {result?.is === 'done' && (
              <Suspense>
                <SpanNote sides={[before, after]} />
              </Suspense>
            )}
          </div>
        )}
      </div>
      <div className="min-h-0 flex-1 overflow-auto">
        {isSlow && (
          <EmptyState title="Comparing">
            Differences of lists, calls, problems and spans appear here, once both sides are read
          </EmptyState>
        )}
        {result?.is === 'done' && <Found comparison={result.comparison} sides={[before, after]} />}
      </div>
    </section>
  );
}

function figuresOf(progress: ComparisonProgress): string | undefined {
  const { what, done, of } = progress;
  if (what !== 'Loading both sides' && what !== 'Reading both sides') return comparedText(progress);
  return of === 0 ? undefined : `${formatCount(done)} of ${countOf(of, 'frame')}`;
}

function resultText(result: ComparisonResult): string {
  if (result.is === 'done')
    return [summaryText(summarise(result.comparison)), toolTokensText(result.comparison)].filter(Boolean).join(' ');
  if (result.is === 'gone') return 'Can’t compare: one side’s messages are no longer available.';
  return `${formatBytes(result.bytes)} is too much to compare here. Run \`mcp-inspect diff A B\` with the two files.`;
}

function Found({ comparison, sides }: { readonly comparison: Comparison; readonly sides: ComparedSides }) {
  const { catalogue, unlisted, calls } = comparison;
  const [shown, setShown] = useState<CallComparison>();
  const differing = calls.filter(({ verdict }) => verdict !== 'same');
  const [before, after] = sides;
  const problems = useProblemChanges(before.log, after.log);
  const sameProblems = problems.fresh.length + problems.gone.length === 0;
  return (
    <>
      {isEqual(comparison) && sameProblems && (
        <NoDifferences>
          {unlisted.length > 0 ? 'The lists that both sides have are the same' : 'Their lists are the same'}, and their
          responses match. Times, ids and similar values count only in strict mode.
        </NoDifferences>
      )}
      {comparedNothing(comparison) && (
        <EmptyState title="Nothing to compare yet">
          They share no list and no completed call. List or call the same thing on both sides
        </EmptyState>
      )}
      {(catalogue.length > 0 || unlisted.length > 0) && (
        <section aria-label="Server and catalogue">
          <Heading>Server and catalogue</Heading>
          <CatalogueChanges changes={catalogue} sides={sides} />
          {unlisted.map((one) => (
            <p key={one.list} className="px-3 py-1 text-muted">
              {missingListText(one, ['“before”', '“after”', 'either side'])}
            </p>
          ))}
        </section>
      )}
      {differing.length > 0 && (
        <section aria-label="Calls">
          <Heading>Calls</Heading>
          <ShowMore items={differing}>
            {(call) => (
              <CallItem
                key={`${call.before?.seq} ${call.after?.seq}`}
                call={call}
                sides={sides}
                onShow={() => setShown(call)}
              />
            )}
          </ShowMore>
        </section>
      )}
      {!sameProblems && (
        <section aria-label="Problems">
          <Heading>Problems</Heading>
          <ProblemChanges {...problems} />
        </section>
      )}
      <Suspense>
        <SpanChanges sides={sides} />
      </Suspense>
      {shown && <ResponsesDialog call={shown} sides={sides} onClose={() => setShown(undefined)} />}
    </>
  );
}

/** Less high than an {@link EmptyState}, because the spans may follow. */
function NoDifferences({ children }: { readonly children: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-2 p-6 text-center">
      <p className="font-medium">No differences</p>
      <p className="max-w-[60ch] text-muted">{children}</p>
    </div>
  );
}

function Heading({ children }: { readonly children: string }) {
  return <h3 className="border-b border-line bg-surface px-3 py-1 text-small text-muted">{children}</h3>;
}
