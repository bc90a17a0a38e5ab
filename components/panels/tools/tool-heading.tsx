import { useState } from 'react';
import { FrameLink } from '@/components/exchange/frame-link';
import { Badge } from '@/components/ui/badge';
import { JsonTree } from '@/components/ui/json-tree';
import { cutText } from '@/components/untrusted/cut-text';
import { Markdown } from '@/components/untrusted/markdown';
import { RenderGuard } from '@/components/untrusted/render-guard';
import { UntrustedText } from '@/components/untrusted/untrusted-text';
import type { ToolEntry } from '@/lib/store/state';
import { own } from '@/lib/wire/message';
import { annotationWords } from './annotation-words';
import { toolTitle } from './tool-title';

/** Longer descriptions are closed at first. */
const LONG = 1_200;

/** What a tool says of itself: name, title, hints, description, schemas. */
export function ToolHeading({ tool }: { readonly tool: ToolEntry }) {
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
        {annotationWords(own(tool.raw, 'annotations')).map(({ word, tone, about }) => (
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
        <Schema name="inputSchema" schema={own(tool.raw, 'inputSchema')} />
        <Schema name="outputSchema" schema={own(tool.raw, 'outputSchema')} />
        <Schema name="whole tool" schema={tool.raw} />
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

function Schema({ name, schema }: { readonly name: string; readonly schema: unknown }) {
  if (schema === undefined) return null;
  return (
    <details className="min-w-0 open:w-full">
      <summary className="text-small text-muted">{name}</summary>
      <div className="max-h-80 overflow-auto border border-line bg-surface p-1">
        <RenderGuard fallback={<p className="text-warn">! This is nested too deep to draw.</p>}>
          <JsonTree value={schema} />
        </RenderGuard>
      </div>
    </details>
  );
}
