import { useMemo, useState } from 'react';
import { JsonEditor } from '@/components/editor/json-editor';
import { Button, CopyButton, Segmented } from '@/components/ui/button';
import { JsonTree } from '@/components/untrusted/json-tree';
import { LongText } from '@/components/untrusted/long-text';
import { useDraft } from '@/lib/hooks/drafts';
import { prettyJson, tryParseJson } from '@/lib/json/exact';
import { JsonSource } from '@/lib/json/source';
import { LIMITS } from '@/lib/wire/limits';

const COPY = 'Edit a copy';
const VIEWS = ['Pretty', 'Raw'] as const;
const VIEWS_AND_COPY = [...VIEWS, COPY] as const;

/** The params to answer: those that the server sent, or a copy that the user edits. */
export interface EditedRequest {
  /** The params that the answer form is made from. undefined if there are none. */
  readonly params: JsonSource | undefined;
  /** The text of the copy; undefined if there is none. */
  readonly copy: string | undefined;
  readonly setCopy: (text: string | undefined) => void;
}

/** Holds the user's copy of a request. Text that is not JSON leaves the form as it was sent. */
export function useEditedRequest(sent: JsonSource | undefined, draft: string): EditedRequest {
  const [copy, setCopy] = useDraft<string | undefined>(`request:${draft}`, undefined);
  const params = useMemo(() => (copy === undefined ? sent : (JsonSource.parse(copy) ?? sent)), [copy, sent]);
  return { params, copy, setCopy };
}

interface RequestViewProps {
  readonly sent: JsonSource;
  readonly request: EditedRequest;
  /** False if the question can't be answered any more. */
  readonly editable: boolean;
}

/** The request's params as JSON. A copy can be edited, from which the answer form is made. */
export function RequestView({ sent, request, editable }: RequestViewProps) {
  const { copy, setCopy } = request;
  const [chosen, choose] = useDraft<string>('request-view', 'Pretty');
  const edits = editable && copy !== undefined;
  const [open, setOpen] = useState(edits);
  const shown = (edits ? VIEWS_AND_COPY : VIEWS).find((view) => view === chosen) ?? 'Pretty';
  const invalid = edits && !tryParseJson(copy).ok;
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)} className="min-w-0">
      <summary className="text-muted">Request as JSON{edits && ' (edited copy)'}</summary>
      {open && (
        <div className="mt-1 flex min-w-0 flex-col gap-2">
          <div className="flex flex-wrap items-center gap-2">
            <Segmented
              label="View of the request"
              names={editable && sent.length <= LIMITS.formattedBytes ? VIEWS_AND_COPY : VIEWS}
              chosen={shown}
              onChoose={(view) => {
                choose(view);
                if (view === COPY) setCopy(copy ?? prettyJson(sent.text));
              }}
            />
            <CopyButton label="Copy" text={() => (shown === COPY && copy) || sent.text} />
            {edits && (
              <Button size="small" onClick={() => setCopy(undefined)}>
                Discard the copy
              </Button>
            )}
          </div>
          {shown === 'Pretty' && <JsonTree json={sent} />}
          {shown === 'Raw' && <LongText text={sent.text} />}
          {edits && (
            <>
              <p className="text-small text-muted">
                The answer form follows your copy. The server does not see it, and the log keeps what the server sent.
              </p>
              {invalid && (
                <p role="status" className="text-small text-warn">
                  ! The copy is not JSON, so the form follows the request
                </p>
              )}
              {shown === COPY && (
                <JsonEditor label="Copy of the request" text={copy} onChange={setCopy} className="h-60" />
              )}
            </>
          )}
        </div>
      )}
    </details>
  );
}
