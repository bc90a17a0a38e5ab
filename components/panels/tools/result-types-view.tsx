import { lazy, Suspense, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { FrameLink } from '@/components/exchange/frame-link';
import { useSchemaWorker } from '@/components/form/checking';
import { CopyButton, Segmented } from '@/components/ui/button';
import { visibleText } from '@/components/ui/visible-text';
import { TYPE_FORMS } from '@/lib/contract/type-forms';
import { formatPath } from '@/lib/json/outline-path';
import { own } from '@/lib/json/value';
import type { SchemaWorker } from '@/lib/schema/schema-worker';
import { type Log, lastExchange } from '@/lib/store/log';
import type { ToolEntry } from '@/lib/store/state/state';
import { countOf } from '@/lib/wire/format';
import { runInSlices } from '@/lib/wire/in-slices';
import { LIMITS } from '@/lib/wire/limits';
import { type ResultsInLog, resultsInLog } from './result-types';

const CodeDocument = lazy(() => import('@/components/untrusted/code-document'));

const FORMS = Object.values(TYPE_FORMS);
const LABELS = FORMS.map(({ label }) => label);

/** Most contradicting results that are listed. */
const MOST_LISTED = 20;

/** The types of a tool’s results in the log, and the results that contradict its outputSchema. */
export function ResultTypes({
  log,
  tool,
  calledAs,
}: {
  readonly log: Log;
  readonly tool: ToolEntry;
  readonly calledAs: string;
}) {
  const found = useResults(log, calledAs);
  const [label, setLabel] = useState<(typeof LABELS)[number]>(LABELS[0]!);
  const learnt = useMemo(() => found?.results.learn(), [found]);
  const { write, language } = FORMS.find((form) => form.label === label)!;
  const code = useMemo(() => learnt && write([learnt]), [learnt, write]);
  if (!found) return <p className="text-muted">Reading the results…</p>;
  const { results, away, isCut } = found;
  return (
    <div className="flex min-w-0 flex-col gap-1.5 py-1 text-text">
      {code === undefined ? (
        <p className="text-muted">Call the tool until it returns structured content or JSON to see its types</p>
      ) : (
        <>
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <Segmented label="Language of the types" names={LABELS} chosen={label} onChoose={setLabel} />
            <span className="ml-auto">
              <CopyButton label="Copy" text={() => code} />
            </span>
          </div>
          <div className="max-h-80 overflow-auto border border-line bg-surface p-1">
            <Suspense fallback={<pre className="font-mono text-wire">{visibleText(code)}</pre>}>
              <CodeDocument code={code} names={language} />
            </Suspense>
          </div>
        </>
      )}
      <p className="text-muted">
        From {results.notes.join(' ')}
        {away > 0 && ` ${countOf(away, 'older result')} not loaded.`}
        {isCut && ' Older results were not read.'}
      </p>
      <Contradictions found={found} schema={own(tool.raw, 'outputSchema')} />
    </div>
  );
}

/** Reads the results of a tool again after each of its calls. undefined until they are read. */
function useResults(log: Log, tool: string): ResultsInLog | undefined {
  const latest = () => lastExchange(log, 'tools/call', tool)?.responseSeq;
  const newest = useSyncExternalStore(log.subscribe, latest, latest);
  const [found, setFound] = useState<ResultsInLog>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new result is a reason to read again
  useEffect(() => {
    const stop = new AbortController();
    void runInSlices(resultsInLog(log, tool), stop.signal).then((results) => results && setFound(results));
    return () => stop.abort();
  }, [log, tool, newest]);
  return found;
}

/** A result that breaks the declared schema. */
interface Contradiction {
  readonly seq: number;
  readonly path: string;
  readonly text: string;
  /** Number of further places in this result. */
  readonly more: number;
}

interface Checked {
  readonly contradictions: readonly Contradiction[];
  readonly matching: number;
  /** Why the results could not be checked. */
  readonly unchecked: string | undefined;
}

function Contradictions({ found, schema }: { readonly found: ResultsInLog; readonly schema: unknown }) {
  const worker = useSchemaWorker(schema);
  const [checked, setChecked] = useState<Checked>();
  const isDeclared = schema !== undefined;
  useEffect(() => {
    if (!isDeclared) return;
    let current = true;
    void checkAll(worker, found, () => current).then((all) => current && setChecked(all));
    return () => {
      current = false;
    };
  }, [worker, found, isDeclared]);
  if (!isDeclared) return <p className="text-muted">The tool declares no outputSchema</p>;
  if (!checked) return null;
  const { contradictions, matching, unchecked } = checked;
  if (unchecked !== undefined) {
    return <p className="break-words text-warn">! not checked against outputSchema: {visibleText(unchecked)}</p>;
  }
  if (contradictions.length === 0) {
    return matching > 0 && <p className="text-muted">✓ {countOf(matching, 'result')} checked against outputSchema</p>;
  }
  const more = contradictions.length - MOST_LISTED;
  return (
    <section aria-label="Results that contradict outputSchema" className="min-w-0">
      <h4 className="text-error">
        × {countOf(contradictions.length, 'result')} of {contradictions.length + matching} contradict outputSchema
      </h4>
      <ul>
        {contradictions.slice(0, MOST_LISTED).map((one) => (
          <li key={one.seq} className="min-w-0 break-words">
            <FrameLink seq={one.seq} label="result" short /> <code>{visibleText(one.path)}</code>{' '}
            {visibleText(one.text)}
            {one.more > 0 && `, and ${countOf(one.more, 'more place')}`}
          </li>
        ))}
      </ul>
      {more > 0 && <p className="text-muted">And {countOf(more, 'more result')}</p>}
    </section>
  );
}

const NO_BRANCHES = new Map<string, string>();

/** Holds results against the schema one after another, until `isWanted` is false. */
async function checkAll(worker: SchemaWorker, { toCheck }: ResultsInLog, isWanted: () => boolean): Promise<Checked> {
  const contradictions: Contradiction[] = [];
  let matching = 0;
  for (const { seq, text } of toCheck) {
    if (!isWanted()) break;
    if (text === undefined) {
      contradictions.push({ seq, path: 'structuredContent', text: 'is missing', more: 0 });
      continue;
    }
    if (text.length > LIMITS.editorSchemaChars) continue;
    const { findings = [], unchecked } = (await worker.check(text, NO_BRANCHES)) ?? {};
    if (unchecked !== undefined) return { contradictions, matching, unchecked };
    const [first] = findings;
    if (!first) matching++;
    else {
      const path = formatPath(['structuredContent', ...first.path]).slice(0, 200);
      const why = first.missing ? 'is missing' : first.text.slice(0, 300);
      contradictions.push({ seq, path, text: why, more: findings.length - 1 });
    }
  }
  return { contradictions, matching, unchecked: undefined };
}
