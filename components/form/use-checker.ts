import { useEffect, useMemo, useState } from 'react';
import type { Finding } from '@/lib/checker/job';
import { SchemaWorker } from '@/lib/checker/schema-worker';
import { stringifyJson } from '@/lib/schema/json';
import { LIMITS } from '@/lib/wire/limits';
import { WORKER_TYPE, workerAddress } from '@/lib/wire/worker-address';
import type { FieldProblem } from './problem-board';
import { chooseBranches } from './shown-branches';
import type { DocumentState } from './use-document';

/** The checking of one document, and samples of its schema. */
export interface Checking {
  /** Why the schema could not be checked, if it could not. */
  readonly unchecked: string | undefined;
  /** A document that fits, as text. Rejects with the reason if none can be made. */
  readonly sample: (all: boolean) => Promise<string>;
}

/** Checks a document in a Worker as it is typed, and puts what is wrong on its board, together with what the server said. */
export function useChecker(schema: unknown, document: DocumentState, complaints: readonly FieldProblem[]): Checking {
  const { text, parsed, problems, memory, readOnly } = document;
  const [unchecked, setUnchecked] = useState<string>();
  const [findings, setFindings] = useState<readonly FieldProblem[]>();
  const worker = useMemo(
    () => new SchemaWorker(schemaText(schema), () => new Worker(workerAddress('schema'), { type: WORKER_TYPE })),
    [schema],
  );
  useEffect(() => () => worker.close(), [worker]);
  useEffect(() => {
    // What was sent once is beyond advice; what the server said of it stays.
    if (!parsed.ok || readOnly) {
      setFindings([]);
      return;
    }
    const timer = setTimeout(async () => {
      const verdict = await worker.check(text, chooseBranches(schema, parsed.value, memory));
      if (verdict === undefined) return;
      setUnchecked(verdict.unchecked);
      setFindings(verdict.unchecked === undefined ? verdict.findings.map(toProblem) : undefined);
    }, LIMITS.checkPauseMs);
    return () => clearTimeout(timer);
  }, [worker, schema, text, parsed, memory, readOnly]);
  useEffect(() => {
    problems.set([...(findings ?? []), ...complaints], findings !== undefined);
  }, [problems, findings, complaints]);
  return { unchecked, sample: (all) => worker.sample(all) };
}

function toProblem({ path, text, missing }: Finding): FieldProblem {
  return { path, text, source: missing ? 'missing' : 'schema' };
}

function schemaText(schema: unknown): string {
  try {
    return schema === undefined ? 'true' : stringifyJson(schema);
  } catch {
    // Nested too deep to be written.
    return 'true';
  }
}
