import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { JsonPath } from '@/lib/json/edit';
import { stringifyJson } from '@/lib/json/exact';
import { type SchemaFinding, SchemaWorker } from '@/lib/schema/schema-worker';
import { countOf } from '@/lib/wire/format';
import { WORKER_TYPE, workerAddress } from '@/lib/wire/worker-address';
import { type FieldProblem, pathKey } from './form-state';
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
  /**
   * Checks the document as it is now. Resolves to no problems if it can't be checked, and to undefined if it changed in
   * the meantime.
   */
  readonly check: () => Promise<readonly FieldProblem[] | undefined>;
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
  const check = async () => {
    if (!parsed.ok) return NONE;
    const verdict = await worker.check(text, chooseBranches(schema, parsed.value, memory));
    return verdict?.unchecked === undefined ? verdict?.findings.map(toProblem) : NONE;
  };
  return { unchecked, sample: (all) => worker.sample(all), check };
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

const NONE: readonly FieldProblem[] = [];

/** The number of fields with a problem. A press leads to the first one. Problems do not prevent sending. */
export function ProblemCount({ document }: { readonly document: DocumentState }) {
  const { problems, reveal, setMode } = document;
  const shown = useSyncExternalStore(
    problems.subscribe,
    () => problems.shown,
    () => NONE,
  );
  const fields = new Map(shown.map(({ path }) => [pathKey(path), path]));
  return (
    <span role="status" aria-label="Invalid fields">
      {document.parsed.ok && fields.size > 0 && (
        <button
          type="button"
          onClick={() => {
            setMode('Form');
            reveal.revealField(firstInPage(fields));
          }}
          className="inline-flex h-6 items-center rounded px-1.5 text-small text-error hover:bg-text/8"
        >
          ! {countOf(fields.size, 'invalid field')}
        </button>
      )}
    </span>
  );
}

/** Returns the path of the field that comes first in the page; of those that are not rendered, the first known. */
export function firstInPage(fields: ReadonlyMap<string, JsonPath>): JsonPath {
  const rendered = [...document.querySelectorAll<HTMLElement>('[data-field]')];
  const first = rendered.find(({ dataset }) => fields.has(dataset.field!));
  return fields.get(first?.dataset.field ?? '') ?? fields.values().next().value!;
}
