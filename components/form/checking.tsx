import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { Menu } from '@/components/ui/menu';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import { stringifyJson } from '@/lib/json/exact';
import { type SchemaFinding, SchemaWorker } from '@/lib/schema/schema-worker';
import { countOf } from '@/lib/wire/format';
import { WORKER_TYPE, workerAddress } from '@/lib/wire/worker-address';
import type { FieldProblem } from './form-state';
import { chooseBranches } from './union-branches';
import type { DocumentState } from './use-document';

/** Pause between the last key and the check of the document, in ms. */
const CHECK_PAUSE_MS = 120;

/** Checks of one document against its schema, and samples of the schema. */
export interface Checking {
  /** Why the schema could not be checked. */
  readonly unchecked: string | undefined;
  /** Resolves to a sample document as text. `all`: with optional fields. Rejects if it can't be made. */
  readonly sample: (all: boolean) => Promise<string>;
}

/**
 * Checks a document in a Worker while it is typed. Sets its problems, plus the argument errors that the server
 * reported.
 */
export function useChecker(schema: unknown, document: DocumentState, complaints: readonly FieldProblem[]): Checking {
  const { text, parsed, problems, memory, readOnly } = document;
  const [unchecked, setUnchecked] = useState<string>();
  const [findings, setFindings] = useState<readonly FieldProblem[]>();
  const worker = useSchemaWorker(schema);
  useEffect(() => {
    // A document that was sent can't be changed, so only the server's complaints are shown.
    if (!parsed.ok || readOnly) {
      setFindings([]);
      return;
    }
    const timer = setTimeout(async () => {
      const verdict = await worker.check(text, chooseBranches(schema, parsed.value, memory));
      if (verdict === undefined) return;
      setUnchecked(verdict.unchecked);
      setFindings(verdict.unchecked === undefined ? verdict.findings.map(toProblem) : undefined);
    }, CHECK_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [worker, schema, text, parsed, memory, readOnly]);
  useEffect(() => {
    problems.setProblems([...(findings ?? []), ...complaints], findings !== undefined);
  }, [problems, findings, complaints]);
  return { unchecked, sample: (all) => worker.sample(all) };
}

/** Returns a Worker for a schema. It starts with its first job. */
export function useSchemaWorker(schema: unknown): SchemaWorker {
  const worker = useMemo(
    () => new SchemaWorker(schemaText(schema), () => new Worker(workerAddress('schema'), { type: WORKER_TYPE })),
    [schema],
  );
  useEffect(() => () => worker.close(), [worker]);
  return worker;
}

function toProblem({ path, text, missing }: SchemaFinding): FieldProblem {
  return { path, text, source: missing ? 'missing' : 'schema' };
}

function schemaText(schema: unknown): string {
  try {
    return schema === undefined ? 'true' : stringifyJson(schema);
  } catch {
    // Nested too deeply to serialise.
    return 'true';
  }
}

/** Problems listed in the menu. */
const MOST_LISTED = 100;

const NONE: readonly FieldProblem[] = [];

/** The number of problems, as a menu that leads to each field. Problems do not prevent sending. */
export function ProblemCount({ document }: { readonly document: DocumentState }) {
  const { problems, reveal, setMode } = document;
  const all = useSyncExternalStore(
    problems.subscribe,
    () => problems.all,
    () => NONE,
  );
  if (!document.parsed.ok) return null;
  if (all.length === 0) {
    return problems.checked ? (
      <span role="status" aria-label="Problems" className="text-small text-muted">
        0 problems
      </span>
    ) : null;
  }
  const words = countOf(all.length, 'problem');
  const items = () =>
    all.slice(0, MOST_LISTED).map((problem) => ({
      label: <UntrustedText text={`${pathWords(problem)}: ${problem.text}`} limit={160} />,
      run: () => {
        setMode('Form');
        reveal.revealField(problem.path);
      },
    }));
  return (
    <Menu
      label={words}
      items={items}
      className="inline-flex h-[22px] items-center rounded px-1.5 text-small text-warn hover:bg-text/8"
    >
      ! {words}
    </Menu>
  );
}

function pathWords({ path }: FieldProblem): string {
  if (path.length === 0) return 'arguments';
  return path.map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index > 0 ? '.' : ''}${key}`)).join('');
}
