import { useMemo, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Select } from '@/components/ui/inputs';
import { MENU_BUTTON, Menu } from '@/components/ui/menu';
import { EmptyState, ErrorNote, Spinner } from '@/components/ui/notices';
import { ProgressBar } from '@/components/ui/progress';
import { visibleText } from '@/components/ui/visible-text';
import { saveFile } from '@/components/untrusted/download';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { EvalSummary } from '@/features/evals/lib/evals-api';
import { junitEvals } from '@/features/evals/lib/junit-evals';
import { type EvalReport, evalReport } from '@/features/evals/lib/report';
import { countOf, formatDate, formatDuration } from '@/lib/wire/format';
import type { Failure } from '@/lib/wire/lifecycle';
import { CaseTable } from './case-table';
import { ConfusionTable } from './confusion-table';
import { EvalComparisonView } from './eval-comparison';
import { useAskEvals, useEval } from './use-evals';
import { intervalText, rateText, usedTokensText, wholePercent } from './words';

/** One eval: its progress, and what it found. */
export function EvalView({
  id,
  all,
  onGone,
}: {
  readonly id: string;
  readonly all: readonly EvalSummary[];
  readonly onGone: () => void;
}) {
  const ask = useAskEvals();
  const { read, failure, again } = useEval(id);
  const [refused, setRefused] = useState<Failure>();
  const [compared, setCompared] = useState('');
  const report = useMemo(() => evalReport(read?.attempts ?? []), [read]);
  const act = async (work: () => Promise<unknown>) => {
    setRefused(undefined);
    try {
      await work();
    } catch (error) {
      setRefused(error as Failure);
    }
  };
  if (failure && !read) {
    return (
      <div className="p-3">
        <ErrorNote failure={failure} />
      </div>
    );
  }
  if (!read) {
    return (
      <p className="flex items-center gap-2 p-4 text-muted">
        <Spinner /> Reading the eval…
      </p>
    );
  }
  const { summary, attempts } = read;
  const others = all.filter((one) => one.id !== id && one.made > 0);
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <header className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3 py-1">
        <h2 className="max-w-full min-w-0 truncate font-medium">
          <bdi>{visibleText(summary.title)}</bdi>
        </h2>
        <span className="tabular text-small text-muted">{formatDate(summary.at)}</span>
        <span className="flex-1" />
        {summary.state === 'running' && <Button onClick={() => void act(() => ask({ kind: 'stop', id }))}>Stop</Button>}
        {summary.state === 'stopped' && summary.from === 'page' && (
          <Button onClick={() => void act(() => ask({ kind: 'resume', id }).then(again))}>Resume</Button>
        )}
        {others.length > 0 && attempts.length > 0 && (
          <Select
            aria-label="Compare with"
            className="max-w-56"
            value={compared}
            options={[
              { value: '', label: 'Compare with…' },
              ...others.map((one) => ({
                value: one.id,
                label: visibleText(`${rateText(one)}: ${one.title}, ${one.models.join(', ')}, ${formatDate(one.at)}`),
              })),
            ]}
            onChange={setCompared}
          />
        )}
        <Menu
          label="Download and delete"
          className={MENU_BUTTON}
          items={() => [
            {
              label: 'Download JSON',
              run: () => saveFile(`${JSON.stringify(report, null, 2)}\n`, `eval-${id}.json`),
            },
            { label: 'Download JUnit', run: () => saveFile(junitEvals(report), `eval-${id}.xml`) },
            {
              label: 'Delete with its recordings',
              run: () => void act(() => ask({ kind: 'forget', id }).then(onGone)),
            },
          ]}
        >
          More <Icon name="down" />
        </Menu>
      </header>
      <div className="min-h-0 flex-1 overflow-auto">
        <div className="flex min-w-0 flex-col gap-4 p-3">
          {refused && <ErrorNote failure={refused} />}
          <Progress summary={summary} report={report} />
          {compared !== '' && <EvalComparisonView id={compared} after={report} onClose={() => setCompared('')} />}
          {attempts.length > 0 ? (
            <>
              <Totals report={report} />
              <CaseTable id={id} report={report} attempts={attempts} summary={summary} />
              <ConfusionTable confusion={report.confusion} />
            </>
          ) : (
            summary.state !== 'running' && <EmptyState title="Nothing has run" />
          )}
        </div>
      </div>
    </div>
  );
}

function Progress({ summary, report }: { readonly summary: EvalSummary; readonly report: EvalReport }) {
  const { state, made, planned, problem, id } = summary;
  const { passed, failed, errors } = report.totals;
  const figures = `${made} of ${planned}`;
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <p role="status" className="tabular flex flex-wrap items-center gap-x-3">
        {state === 'running' && <Spinner />}
        <span>
          {state === 'running' ? 'Running' : state === 'done' ? 'All runs are made' : 'Stopped'}: {figures} runs
        </span>
        <span className="text-ok">✓ {passed} passed</span>
        <span className={failed > 0 ? 'text-error' : 'text-muted'}>× {failed} failed</span>
        {errors > 0 && <span className="text-warn">! {errors} could not be made</span>}
      </p>
      {state !== 'done' && <ProgressBar label="Runs" done={made} of={planned} figures={figures} />}
      {problem !== undefined && (
        <div role="alert" className="border-l-2 border-error bg-error/6 px-3 py-2">
          <p className="font-medium text-error">
            × <UntrustedText text={problem} limit={1000} />
          </p>
        </div>
      )}
      {state === 'stopped' && summary.from === 'command' && (
        <p className="text-muted">
          Continue in its terminal: <code className="font-mono text-wire">mcp-inspect eval --resume {id}</code>
        </p>
      )}
    </div>
  );
}

/** The sums for all models, and for each. */
function Totals({ report: { totals } }: { readonly report: EvalReport }) {
  const rows = totals.models.length > 1 ? [...totals.models, { ...totals, model: 'All models' }] : totals.models;
  return (
    <div className="min-w-0 overflow-auto">
      <table aria-label="Models" className="w-full text-left">
        <thead className="text-small text-muted">
          <tr>
            {['Model', 'Passed', 'Rate', '95% interval', 'Tokens', 'Median', 'p95'].map((title) => (
              <th key={title} scope="col" className="pr-4 font-normal whitespace-nowrap last:pr-0">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="tabular">
          {rows.map((one) => (
            <tr key={one.model} className="border-t border-line whitespace-nowrap">
              <th scope="row" className="max-w-72 truncate py-1 pr-4 font-mono text-wire font-normal">
                <UntrustedText text={one.model} limit={80} />
              </th>
              <td className="pr-4">
                {one.passed} of {one.runs - one.errors}
              </td>
              <td className="pr-4 font-medium">{wholePercent(one.passRate)}</td>
              <td className="pr-4 text-muted">{intervalText(one.interval)}</td>
              <td className="pr-4">{usedTokensText(one.tokens)}</td>
              <td className="pr-4">{formatDuration(one.latency.median * 1000)}</td>
              <td>{formatDuration(one.latency.p95 * 1000)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {totals.refused > 0 && (
        <p className="mt-1 text-small text-muted">
          {countOf(totals.refused, 'call')} refused, because nobody allowed {totals.refused === 1 ? 'it' : 'them'}
        </p>
      )}
    </div>
  );
}
