import { useMemo } from 'react';
import { Button } from '@/components/ui/button';
import { ErrorNote, Spinner } from '@/components/ui/notices';
import { visibleText } from '@/components/ui/visible-text';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { type CaseName, compareEvals } from '@/features/evals/lib/compare-evals';
import { type EvalReport, evalReport } from '@/features/evals/lib/report';
import { countOf, formatDate } from '@/lib/wire/format';
import { useEval } from './use-evals';
import { intervalText, usedTokensText, wholePercent } from './words';

/** An earlier eval beside the shown one: description A or B. */
export function EvalComparisonView({
  id,
  after,
  onClose,
}: {
  /** The earlier one. */
  readonly id: string;
  readonly after: EvalReport;
  readonly onClose: () => void;
}) {
  const { read, failure } = useEval(id);
  const comparison = useMemo(() => read && compareEvals(evalReport(read.attempts), after), [read, after]);
  if (failure) return <ErrorNote failure={failure} />;
  if (!read || !comparison) return <Spinner label="Reading the other eval" />;
  const { totals, changed, added, removed } = comparison;
  const sides = [
    { title: `${read.summary.title}, ${formatDate(read.summary.at)}`, of: totals.before },
    { title: 'This eval', of: totals.after },
  ];
  const isSame = totals.before.passRate === totals.after.passRate;
  return (
    <section aria-label="Comparison" className="min-w-0 rounded border border-line p-3">
      <header className="mb-2 flex items-center gap-2">
        <h3 className="min-w-0 flex-1 font-medium">
          {totals.cases === 0
            ? 'No case was measured in both, so nothing is compared'
            : isSame
              ? `The same pass rate in ${countOf(totals.cases, 'case')} of both`
              : totals.isClear
                ? 'The difference is clear'
                : 'The difference may be chance: repeat the cases more often'}
        </h3>
        <Button size="small" variant="ghost" onClick={onClose}>
          Close comparison
        </Button>
      </header>
      {totals.cases > 0 && (
        <div className="grid grid-cols-2 gap-3 narrow:grid-cols-1">
          {sides.map(({ title, of }) => (
            <dl key={title} className="min-w-0">
              <dt className="truncate text-small text-muted">
                <bdi>{visibleText(title)}</bdi>
              </dt>
              <dd className="tabular flex flex-wrap items-baseline gap-x-2">
                <span className="text-title font-medium">{wholePercent(of.passRate)}</span>
                <span className="text-muted">
                  {intervalText(of.interval)}, {of.passed} of {of.runs}
                </span>
                <span className="text-small text-muted">{usedTokensText(of.tokens)}</span>
              </dd>
            </dl>
          ))}
        </div>
      )}
      {changed.length > 0 && (
        <table aria-label="Changed cases" className="tabular mt-2 w-full text-left">
          <thead className="text-small text-muted">
            <tr>
              {['Case', 'Before', 'This eval', ''].map((title) => (
                <th key={title} scope="col" className="pr-4 font-normal">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {changed.map((one) => (
              <tr key={keyOf(one)} className="border-t border-line">
                <th scope="row" className="py-1 pr-4 font-normal">
                  <UntrustedText text={one.name} limit={120} />
                </th>
                <td className="pr-4">{wholePercent(one.before)}</td>
                <td className={`pr-4 ${one.after > one.before ? 'text-ok' : 'text-error'}`}>
                  {one.after > one.before ? '↑' : '↓'} {wholePercent(one.after)}
                </td>
                <td className="text-small text-muted">{one.isClear ? 'clear' : 'may be chance'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Only title="Only in this eval" cases={added} />
      <Only title="Only in the other one" cases={removed} />
    </section>
  );
}

function Only({ title, cases }: { readonly title: string; readonly cases: readonly CaseName[] }) {
  if (cases.length === 0) return null;
  return (
    <p className="mt-2 text-small text-muted">
      {title}: <UntrustedText text={cases.map(({ name, model }) => `${name} with ${model}`).join(', ')} limit={500} />
    </p>
  );
}

function keyOf({ file, name, model }: CaseName): string {
  return `${file}\n${name}\n${model}`;
}
