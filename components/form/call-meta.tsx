import { useId, useState } from 'react';
import { classNames } from '@/components/ui/class-names';
import { FIELD } from '@/components/ui/inputs';
import { isRecord } from '@/lib/json/edit';
import type { JsonObject } from '@/lib/json/value';
import { countOf } from '@/lib/wire/format';
import { type DocumentState, useDocument } from './use-document';

/** Returns the draft `_meta` of the calls of a tool or prompt. Blank text sends none of the user's. */
export function useCallMeta(kind: 'tool' | 'prompt', server: string, entry: string): DocumentState {
  return useDocument(`meta ${kind} ${server} ${entry}`, 'JSON', '');
}

/** Says why a `_meta` can't be sent. undefined if it can. */
export function metaFieldProblem({ parsed, sent }: Pick<DocumentState, 'parsed' | 'sent'>): string | undefined {
  if (!sent) return undefined;
  if (!parsed.ok) return `Not JSON (${parsed.message})`;
  return isRecord(parsed.value) ? undefined : 'Not a JSON object: write {"key": "value"}';
}

/** The `_meta` that the user adds to a call, as JSON in a box that opens and closes. `extra`: that of every request. */
export function CallMeta({
  meta,
  extra,
  isAsked = false,
}: {
  readonly meta: DocumentState;
  readonly extra: JsonObject | undefined;
  /** The user just asked for it: it is open, and has the focus. */
  readonly isAsked?: boolean;
}) {
  const id = useId();
  // Only at first: then the user opens and closes it.
  const [open] = useState(meta.sent || isAsked);
  const problem = metaFieldProblem(meta);
  const keys = meta.parsed.ok && isRecord(meta.parsed.value) ? Object.keys(meta.parsed.value).length : 0;
  return (
    <details open={open} className="min-w-0">
      <summary className="min-h-6 py-0.5 text-muted">
        <code className="font-mono text-wire">_meta</code>{' '}
        <span className="text-small">
          {problem === undefined ? (
            [meta.sent ? countOf(keys, 'key') : '(automatic)', extra && 'and the client settings’']
              .filter(Boolean)
              .join(' ')
          ) : (
            <span className="text-error">! invalid</span>
          )}
        </span>
      </summary>
      <textarea
        // biome-ignore lint/a11y/noAutofocus: the user asked for it
        autoFocus={isAsked}
        id={id}
        aria-label="_meta as JSON"
        aria-describedby={`${id}-about`}
        aria-invalid={problem !== undefined || undefined}
        rows={2}
        value={meta.text}
        placeholder={'{"progressToken": "mine"}'}
        onChange={(event) => meta.setText(event.target.value)}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        className={classNames(
          FIELD,
          'mt-1 block h-auto max-h-64 resize-y py-1 font-mono text-wire leading-[18px] field-sizing-content',
        )}
      />
      <p id={`${id}-about`} className="mt-0.5 text-small text-muted">
        {problem === undefined ? (
          'Added to each call. Your keys replace the automatic ones, such as progressToken'
        ) : (
          <span className="break-words text-error">! {problem}</span>
        )}
      </p>
    </details>
  );
}
