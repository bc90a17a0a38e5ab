import { useMemo, useState } from 'react';
import { FrameLink } from '@/components/exchange/frame-link';
import { Badge } from '@/components/ui/badge';
import { JsonTree } from '@/components/untrusted/json-tree';
import { Markdown } from '@/components/untrusted/markdown';
import { RenderGuard } from '@/components/untrusted/render-guard';
import { cutText, UntrustedText } from '@/components/untrusted/untrusted-text';
import { JsonSource } from '@/lib/json/source';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { Log } from '@/lib/store/log';
import { entrySource } from '@/lib/store/message-source';
import type { ToolEntry } from '@/lib/store/state/state';

/** Longer descriptions are closed at first. */
const LONG = 1_200;

/** What a tool says of itself: name, title, hints, description, schemas. */
export function ToolHeading({ log, tool }: { readonly log: Log; readonly tool: ToolEntry }) {
  const title = toolTitle(tool.raw);
  const description = own(tool.raw, 'description');
  const text = typeof description === 'string' ? description : '';
  return (
    <header className="flex min-w-0 flex-col gap-1">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="min-w-0 font-mono font-medium">
          <UntrustedText text={tool.name || '(no name)'} limit={200} />
        </h2>
        {title !== undefined && title !== tool.name && (
          <UntrustedText text={title} limit={200} className="text-muted" />
        )}
        {annotationLabels(own(tool.raw, 'annotations')).map(({ word, tone, about }) => (
          <Badge key={word} tone={tone} title={about}>
            {word}
          </Badge>
        ))}
        <span className="flex-1" />
        <span className="text-small">
          <FrameLink seq={tool.seq} label="listed in" />
        </span>
      </div>
      {tool.problem !== undefined && <p className="text-warn">! This tool is malformed. {tool.problem}</p>}
      {text !== '' && <Description text={text} />}
      <div className="flex flex-wrap gap-x-4">
        <Written log={log} tool={tool} member="inputSchema" />
        <Written log={log} tool={tool} member="outputSchema" />
        <Written log={log} tool={tool} />
      </div>
    </header>
  );
}

/** A long description is closed at first, and parsed when it is opened. */
function Description({ text }: { readonly text: string }) {
  const [open, setOpen] = useState(text.length <= LONG);
  if (text.length <= LONG) return <Markdown text={text} />;
  return (
    <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="text-muted">
        <UntrustedText text={`${cutText(text, 160)}…`} />
      </summary>
      {open && <Markdown text={text} />}
    </details>
  );
}

interface WrittenProps {
  readonly log: Log;
  readonly tool: ToolEntry;
  /** Absent: the whole tool. */
  readonly member?: string;
}

/** A tool, or a member of it, as the server wrote it; looked for when it is opened. */
function Written(props: WrittenProps) {
  const { tool, member } = props;
  const [open, setOpen] = useState(false);
  if (member !== undefined && own(tool.raw, member) === undefined) return null;
  return (
    <details className="min-w-0 open:w-full" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="text-small text-muted">{member ?? 'whole tool'}</summary>
      {open && (
        <div className="max-h-80 overflow-auto border border-line bg-surface p-1">
          <RenderGuard fallback={<p className="text-warn">! This is nested too deep to draw.</p>}>
            <WrittenTree {...props} />
          </RenderGuard>
        </div>
      )}
    </details>
  );
}

function WrittenTree({ log, tool, member }: WrittenProps) {
  const json = useMemo(() => {
    const whole = entrySource(log, 'tools', tool) ?? JsonSource.of(tool.raw);
    return member === undefined ? whole : whole.member(member);
  }, [log, tool, member]);
  return json && <JsonTree json={json} />;
}

/** A hint of a tool in words, and what it claims. */
export interface AnnotationLabel {
  readonly word: string;
  readonly tone: 'muted' | 'ok' | 'warn';
  readonly about: string;
}

/** Hints, with the words for true and false. What a server leaves out is not said: defaults are for hosts. */
const HINTS: readonly (readonly [
  hint: string,
  yes: Omit<AnnotationLabel, 'about'>,
  no: Omit<AnnotationLabel, 'about'>,
])[] = [
  ['readOnlyHint', { word: 'read-only', tone: 'ok' }, { word: 'writes', tone: 'muted' }],
  ['destructiveHint', { word: 'destructive', tone: 'warn' }, { word: 'not destructive', tone: 'muted' }],
  ['idempotentHint', { word: 'idempotent', tone: 'muted' }, { word: 'not idempotent', tone: 'muted' }],
  ['openWorldHint', { word: 'open world', tone: 'muted' }, { word: 'closed world', tone: 'muted' }],
];

/** What a tool's annotations claim of it. They are the server's word and no guarantee. */
export function annotationLabels(annotations: unknown): readonly AnnotationLabel[] {
  if (!isObject(annotations)) return [];
  return HINTS.flatMap(([hint, yes, no]) => {
    const value = own(annotations, hint);
    if (typeof value !== 'boolean') return [];
    return { ...(value ? yes : no), about: `The server says ${hint}: ${value}` };
  });
}

/** A tool's display name: its `title`, or that of its annotations (before 2025-06-18); undefined if it has none. */
export function toolTitle(tool: JsonObject): string | undefined {
  const annotations = own(tool, 'annotations');
  const title = own(tool, 'title') ?? (isObject(annotations) ? own(annotations, 'title') : undefined);
  return typeof title === 'string' && title !== '' ? title : undefined;
}
