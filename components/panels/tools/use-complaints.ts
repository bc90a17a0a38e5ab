import { useMemo } from 'react';
import { responseOf } from '@/components/exchange/outcome';
import type { FieldProblem } from '@/components/form/field-problems';
import { valueAt } from '@/lib/json/edit';
import { sameJson } from '@/lib/json/exact';
import type { JsonSource } from '@/lib/json/source';
import { own } from '@/lib/json/value';
import { type ArgumentError, argumentErrorsIn } from '@/lib/schema/argument-errors';
import { view as viewOf } from '@/lib/schema/view';
import type { Exchange } from '@/lib/store/exchanges/exchanges';
import type { Log } from '@/lib/store/log';
import { messageSource } from '@/lib/store/message-source';

/** Texts of one answer that are read. */
const MOST_TEXTS = 10;

const NONE: readonly never[] = [];

/**
 * What the server said of the arguments of the newest call, if it refused it: for the fields it named, as long as they hold
 * what was sent.
 */
export function useComplaints(
  log: Log,
  exchange: Exchange | undefined,
  schema: unknown,
  value: unknown,
): readonly FieldProblem[] {
  const refusal = useMemo(() => refusalOf(log, exchange, schema), [log, exchange, schema]);
  return useMemo(() => {
    if (refusal === undefined) return NONE;
    const { complaints, sent } = refusal;
    const standing = complaints.filter(({ path }) =>
      sameJson(valueAt(sent, path) ?? null, valueAt(value, path) ?? null),
    );
    return standing.map(({ path, text }): FieldProblem => ({ path, text, source: 'server' }));
  }, [refusal, value]);
}

interface Refusal {
  readonly complaints: readonly ArgumentError[];
  readonly sent: unknown;
}

function refusalOf(log: Log, exchange: Exchange | undefined, schema: unknown): Refusal | undefined {
  if (exchange?.status !== 'error' && exchange?.status !== 'tool-error') return undefined;
  const answer = responseOf(log, exchange);
  if (answer === undefined) return undefined;
  const sent = messageSource(log, exchange.requestSeq, exchange.id)?.member('params')?.member('arguments')?.value;
  const message = answer.error?.member('message')?.value;
  const texts = answer.error ? [typeof message === 'string' ? message : ''] : textsOf(answer.result);
  const view = viewOf(schema, schema);
  const names = view.kind === 'object' ? view.properties.map(({ name }) => name) : [];
  return { complaints: argumentErrorsIn(texts, answer.error?.member('data')?.value, sent, names), sent };
}

function textsOf(result: JsonSource | undefined): string[] {
  const content = result?.member('content');
  if (content?.kind !== 'array') return [];
  return content.children(MOST_TEXTS).children.flatMap(({ source }) => {
    const text = source.kind === 'object' ? own(source.value as Record<string, unknown>, 'text') : undefined;
    return typeof text === 'string' ? [text] : [];
  });
}
