import { Suspense } from 'react';
import { connectionLabels } from '@/components/exchange/connection-labels';
import { RUNS_PANELS } from '@/components/panels/registry';
import { Button } from '@/components/ui/button';
import { lazyWhenIdle } from '@/components/ui/lazy-when-idle';
import { Sentence } from '@/components/ui/notices';
import { TabPanel } from '@/components/ui/tabs';
import { visibleText } from '@/components/ui/visible-text';
import { useConnections } from '@/lib/hooks/connections';
import { navigate } from '@/lib/hooks/location';
import { useWatch } from '@/lib/hooks/watch';
import type { ConnectionSummary } from '@/lib/wire/command';
import { CompareChoice } from './compare-choice';
import { ComparisonView } from './comparison';
import { useCommand } from './connection-commands';
import { CHOOSE, otherRun } from './other-run';
import { PartBoundary } from './part-boundary';
import type { WorkbenchState } from './use-workbench';
import { ViewHead } from './view-head';

const WatchStrip = lazyWhenIdle(() => import('./watch/watch-strip').then((file) => file.WatchStrip));

const TABS = [...RUNS_PANELS, { id: 'compare', title: 'Compare' }];
const TITLE = TABS[0]!.title;

/** The steps after a save. */
const AFTER_SAVE = ['Restart the server', ...RUNS_PANELS.flatMap(({ afterSave }) => afterSave ?? [])].join(' and ');

/** The head of runs: pinned calls, the comparison of two runs, and re-run on save, whose line says when it is on. */
export function RunsHead({
  connection,
  selected,
}: {
  readonly connection: string;
  /** Id of a panel, or `compare`. */
  readonly selected: string;
}) {
  const { connections } = useConnections();
  const watch = useWatch(connection);
  const { run, pending, failure } = useCommand();
  const shown = connections.find(({ id }) => id === connection);
  const canWatch = shown && !shown.recording && shown.via !== 'direct' && watch === undefined;
  const compare = (shown && otherRun(connections, shown)?.id) ?? CHOOSE;
  return (
    <ViewHead
      title={TITLE}
      tabs={TABS}
      selected={selected}
      onSelect={(id) => navigate(id === 'compare' ? { panel: RUNS_PANELS[0]?.id, compare } : { panel: id })}
    >
      {failure && (
        <p role="alert" className="min-w-0 truncate text-error" title={visibleText(failure.advice)}>
          <Sentence text={failure.message} />
        </p>
      )}
      {canWatch && (
        <Button
          size="small"
          variant="ghost"
          disabled={pending}
          title={`${AFTER_SAVE} after each save of its source`}
          onClick={() => void run({ type: 'watch', connection, on: true })}
        >
          Watch
        </Button>
      )}
    </ViewHead>
  );
}

/** The comparison of two connections, or until there are two, the choice of the other one. */
export function ComparePlace({
  workbench: { connections, compared, compareTwo, pickRecordings },
  selected,
}: {
  readonly workbench: WorkbenchState;
  readonly selected: ConnectionSummary;
}) {
  const { id } = selected;
  const watch = useWatch(id);
  const choose = (other: string) => compareTwo(id, other);
  return (
    <>
      <Suspense>{watch && <WatchStrip connection={id} watch={watch} />}</Suspense>
      <RunsHead connection={id} selected="compare" />
      <TabPanel tabs="panel" selected="compare" className="flex min-h-0 min-w-0 flex-1 flex-col">
        <Suspense>
          <PartBoundary name="The comparison">
            {compared ? (
              <ComparisonView key={[id, compared.id].sort().join(' ')} connections={[selected, compared]} />
            ) : (
              <CompareChoice
                connections={connections}
                labels={connectionLabels(connections)}
                selected={id}
                onChosen={choose}
                onPick={() => pickRecordings(choose)}
              />
            )}
          </PartBoundary>
        </Suspense>
      </TabPanel>
    </>
  );
}
