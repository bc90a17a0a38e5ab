import { visibleText } from '@/components/ui/visible-text';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { EvalReport } from '@/features/evals/lib/report';
import { NO_TOOL } from '@/features/evals/lib/score';

/** Which tool was called for each expected one, a table for each model. */
export function ConfusionTable({ confusion }: { readonly confusion: EvalReport['confusion'] }) {
  const models = [...new Set(confusion.map(({ model }) => model))];
  return models.map((model) => (
    <Matrix
      key={model}
      model={models.length > 1 ? model : undefined}
      choices={confusion.filter((one) => one.model === model)}
    />
  ));
}

/** Tools of one side of a table. */
const MOST_SHOWN = 60;

function Matrix({ model, choices }: { readonly model: string | undefined; readonly choices: EvalReport['confusion'] }) {
  const expected = namesOf(choices.map((one) => one.expected)).slice(0, MOST_SHOWN);
  const called = namesOf([...expected, ...choices.map(({ chosen }) => chosen)]).slice(0, MOST_SHOWN);
  const countOf = (row: string, column: string) =>
    choices.find((one) => one.expected === row && one.chosen === column)?.count ?? 0;
  return (
    <section aria-label={`Confusion matrix${model === undefined ? '' : ` of ${model}`}`} className="min-w-0">
      <h3 className="mb-1 flex flex-wrap items-baseline gap-x-2 font-medium">
        Called for expected
        {model !== undefined && (
          <span className="font-mono text-wire font-normal text-muted">
            <UntrustedText text={model} limit={80} />
          </span>
        )}
      </h3>
      <div className="overflow-auto">
        <table className="tabular border-separate border-spacing-px">
          <thead>
            <tr>
              <th scope="col" className="pr-3 text-left align-bottom text-small font-normal text-muted">
                expected ↓ called →
              </th>
              {called.map((name) => (
                <th
                  key={name}
                  scope="col"
                  title={visibleText(name)}
                  className="max-w-36 min-w-14 truncate px-1 pb-1 text-center align-bottom font-mono text-wire font-normal"
                >
                  <ToolName name={name} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {expected.map((row) => (
              <tr key={row}>
                <th
                  scope="row"
                  title={visibleText(row)}
                  className="max-w-56 truncate pr-3 text-left font-mono text-wire font-normal"
                >
                  <ToolName name={row} inline />
                </th>
                {called.map((column) => (
                  <Cell key={column} count={countOf(row, column)} right={row === column} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Cell({ count, right }: { readonly count: number; readonly right: boolean }) {
  const colour = count === 0 ? 'text-muted' : right ? 'bg-ok/12 text-ok' : 'bg-error/12 text-error';
  return (
    <td className={`h-7 rounded-sm text-center ${colour}`}>
      {count === 0 ? (
        '·'
      ) : (
        <>
          <span aria-hidden="true">{right ? '✓ ' : '× '}</span>
          {count}
        </>
      )}
    </td>
  );
}

/** Above or before the name of a tool is that of its server, which often begins the names of all. */
function ToolName({ name, inline = false }: { readonly name: string; readonly inline?: boolean }) {
  const line = inline ? '' : 'block truncate';
  if (name === NO_TOOL) return <span className="font-sans text-muted">no tool</span>;
  const end = name.indexOf('__');
  if (end <= 0) return <UntrustedText text={name} limit={64} />;
  return (
    <>
      <span className={`${line} text-small text-muted`}>
        <UntrustedText text={name.slice(0, end)} limit={64} />
      </span>{' '}
      <span className={line}>
        <UntrustedText text={name.slice(end + 2)} limit={64} />
      </span>
    </>
  );
}

/** Returns each name once, that of no tool last. */
function namesOf(names: readonly string[]): readonly string[] {
  const all = [...new Set(names)];
  return [...all.filter((name) => name !== NO_TOOL), ...all.filter((name) => name === NO_TOOL)];
}
