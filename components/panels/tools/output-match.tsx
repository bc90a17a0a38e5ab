import { useEffect, useState } from 'react';
import { useSchemaWorker } from '@/components/form/checking';
import { Button, useCopy } from '@/components/ui/button';
import { visibleText } from '@/components/ui/visible-text';
import { formatPath } from '@/lib/json/outline-path';
import type { JsonSource } from '@/lib/json/source';
import type { CheckResult } from '@/lib/schema/schema-worker';
import type { Log } from '@/lib/store/log';
import { countOf, formatBytes } from '@/lib/wire/format';
import { LIMITS } from '@/lib/wire/limits';
import { inferredOutputSchema } from './result-types';

/** Copies the outputSchema inferred from the tool’s results in the log. */
export function CopyOutputSchema({ log, tool }: { readonly log: Log; readonly tool: string }) {
  const { feedback, copy } = useCopy();
  return (
    <Button variant="ghost" size="small" onClick={() => void copy(() => inferredOutputSchema(log, tool))}>
      <span aria-live="polite">{feedback ?? 'Copy output schema'}</span>
    </Button>
  );
}

const NO_BRANCHES = new Map<string, string>();

/** Says whether a structured result matches its tool's outputSchema. Checks it in a Worker with a time limit. */
export function OutputMatch({
  schema,
  value,
  isFaultShown,
}: {
  readonly schema: unknown;
  readonly value: JsonSource;
  /** True if the first fault is shown elsewhere. */
  readonly isFaultShown: boolean;
}) {
  const worker = useSchemaWorker(schema);
  const [checked, setChecked] = useState<{ readonly value: JsonSource; readonly result: CheckResult }>();
  const large = value.length > LIMITS.editorSchemaChars;
  useEffect(() => {
    if (large) return;
    let current = true;
    void worker.check(value.text, NO_BRANCHES).then((result) => {
      if (current && result) setChecked({ value, result });
    });
    return () => {
      current = false;
    };
  }, [worker, value, large]);
  if (large) return <Unchecked reason={`it has ${formatBytes(value.length)}`} />;
  if (checked?.value !== value) return null;
  const { findings, unchecked } = checked.result;
  if (unchecked !== undefined) return <Unchecked reason={unchecked} />;
  const [first] = findings;
  if (first === undefined) return <span className="text-muted">✓ matches outputSchema</span>;
  if (isFaultShown) return <span className="text-error">× does not match outputSchema</span>;
  const field = first.path.length === 0 ? 'structuredContent' : formatPath(first.path);
  return (
    <span className="min-w-0 break-words text-error">
      × does not match outputSchema: <code>{visibleText(field.slice(0, 200))}</code>{' '}
      {first.missing ? 'is missing' : visibleText(first.text.slice(0, 300))}
      {findings.length > 1 && `, and ${countOf(findings.length - 1, 'more problem')}`}
    </span>
  );
}

function Unchecked({ reason }: { readonly reason: string }) {
  return (
    <span className="min-w-0 break-words text-warn">! not checked against outputSchema: {visibleText(reason)}</span>
  );
}
