import { formatDuration } from '@/components/ui/format';
import { visibleText } from '@/components/ui/visible-text';
import type { Step, StepState } from '@/lib/doctor/diagnose';
import { navigate } from '@/lib/hooks/use-location';

const STATES: Readonly<Record<StepState, { readonly glyph: string; readonly words: string; readonly colour: string }>> =
  {
    ok: { glyph: '✓', words: 'ok', colour: 'text-ok' },
    failed: { glyph: '×', words: 'failed', colour: 'text-error' },
    'not reached': { glyph: '·', words: 'not reached', colour: 'text-muted' },
    unknown: { glyph: '?', words: 'not visible from a page', colour: 'text-muted' },
    unused: { glyph: '–', words: 'not used', colour: 'text-muted' },
  };

/** The way to the server, step by step: how far it came, how long each took, and what shows it. */
export function DoctorSteps({ steps }: { readonly steps: readonly Step[] }) {
  return (
    <ol aria-label="Steps" className="flex flex-col divide-y divide-line border-y border-line">
      {steps.map((step) => (
        <li key={step.id}>
          {step.evidence.length > 1 ? (
            <details open={step.state === 'failed'} className="group/step">
              <summary className="py-0.5">
                <Head step={step} />
              </summary>
              <ul className="pb-1 pl-[46px]">
                {step.evidence.map(({ text, seq }, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
                  <li key={index}>
                    <Line text={text} seq={seq} />
                  </li>
                ))}
              </ul>
            </details>
          ) : (
            <div className="py-0.5 pl-[14px]">
              <Head step={step} alone />
            </div>
          )}
        </li>
      ))}
    </ol>
  );
}

/** `alone`: there is nothing to unfold. */
function Head({
  step: { title, state, ms, evidence },
  alone = false,
}: {
  readonly step: Step;
  readonly alone?: boolean;
}) {
  const { glyph, words, colour } = STATES[state];
  const [first] = evidence;
  return (
    <span
      className={`inline-grid ${alone ? 'w-full' : 'w-[calc(100%-20px)]'} grid-cols-[16px_108px_64px_minmax(0,1fr)] items-baseline gap-x-2 align-top`}
    >
      <span aria-hidden="true" className={`text-center font-medium ${colour}`}>
        {glyph}
      </span>
      <span className={state === 'failed' ? 'font-medium text-error' : state === 'ok' ? '' : 'text-muted'}>
        {title}
        <span className="sr-only"> {words}</span>
      </span>
      <span className="tabular text-right text-muted">{ms === undefined ? '' : formatDuration(ms * 1000)}</span>
      {evidence.length === 1 && first ? (
        <Line text={first.text} seq={first.seq} />
      ) : (
        <span className="truncate font-mono text-wire text-muted group-open/step:invisible">
          {first ? visibleText(first.text) : words}
        </span>
      )}
    </span>
  );
}

/** One fact; a press shows the frame that it is from. */
function Line({ text, seq }: { readonly text: string; readonly seq: number | undefined }) {
  const shown = visibleText(text);
  if (seq === undefined) return <span className="font-mono text-wire break-all">{shown}</span>;
  return (
    <button
      type="button"
      onClick={() => navigate({ frame: seq, http: true })}
      className="flex w-full items-baseline gap-2 rounded text-left hover:bg-text/6"
    >
      <span className="min-w-0 font-mono text-wire break-all">{shown}</span>
      <span className="tabular ml-auto shrink-0 text-small text-accent underline">#{seq}</span>
    </button>
  );
}
