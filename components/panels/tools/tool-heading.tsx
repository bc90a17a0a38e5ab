import { type ReactNode, useState } from 'react';
import { isDestructive } from '@/components/exchange/destructive-call';
import { Badge } from '@/components/ui/badge';
import { Markdown } from '@/components/untrusted/markdown';
import { ServerIcon } from '@/components/untrusted/server-icon';
import { shortenText, UntrustedText } from '@/components/untrusted/untrusted-text';
import { WireName } from '@/components/untrusted/wire-name';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import type { ToolEntry } from '@/lib/store/state/state';
import { toolTitle } from './tool-title';

/** Characters and lines. Longer descriptions are cut off at first, so that the form stays in view. */
const LONG = 400;
const LONG_LINES = 6;
/** Characters of a cut description that are parsed. */
const START = 800;

interface ToolHeadingProps {
  readonly tool: ToolEntry;
  /** Shown at the right end. */
  readonly aside: ReactNode;
}

/** A tool's name, title, hints and description. */
export function ToolHeading({ tool, aside }: ToolHeadingProps) {
  const title = toolTitle(tool.raw);
  const description = own(tool.raw, 'description');
  const text = typeof description === 'string' ? description : '';
  return (
    <header className="flex min-w-0 flex-col gap-1 short:flex-row short:items-center short:gap-2">
      <div className="flex min-w-0 items-start gap-2 short:contents">
        <div className="flex min-h-7 min-w-0 flex-1 flex-wrap items-center gap-x-2 short:min-h-6 short:flex-none">
          <ServerIcon entry={tool.raw} size={20} />
          <h2 className="min-w-0 font-mono font-medium">
            <WireName text={tool.name || '(no name)'} limit={200} />
          </h2>
          <span className="contents short:hidden">
            {title !== undefined && title !== tool.name && (
              <UntrustedText text={title} limit={200} className="text-muted" />
            )}
            <AnnotationBadge tool={tool.raw} />
          </span>
        </div>
        <span className="ml-auto flex min-h-7 shrink-0 items-center short:order-last short:min-h-6">{aside}</span>
      </div>
      {tool.problem !== undefined && <p className="text-warn">! Malformed tool. {tool.problem}</p>}
      {text !== '' && (
        // In a short pane, its first line beside the name.
        <div className="min-w-0 short:max-h-5 short:flex-1 short:overflow-hidden short:has-[[aria-expanded=true]]:max-h-none">
          <Description text={text} />
        </div>
      )}
    </header>
  );
}

/** A long description shows only its start at first. The rest is parsed when the user asks for it. */
function Description({ text }: { readonly text: string }) {
  const [open, setOpen] = useState(false);
  if (text.length <= LONG && text.split('\n').length <= LONG_LINES) return <Markdown text={text} />;
  return (
    <>
      <div className={open ? undefined : 'max-h-24 overflow-hidden [mask-image:linear-gradient(#000_70%,transparent)]'}>
        <Markdown text={open ? text : shortenText(text, START)} />
      </div>
      <button
        type="button"
        aria-expanded={open}
        aria-label={`${open ? 'Less' : 'More'} of the description`}
        onClick={() => setOpen(!open)}
        className="text-small text-link"
      >
        {open ? 'Less' : 'More'}
      </button>
    </>
  );
}

const HINTS = ['destructiveHint', 'readOnlyHint', 'idempotentHint', 'openWorldHint'];

/** The hint that matters most, with all hints as the server declares them on hover. Empty for harmless writes. */
export function AnnotationBadge({ tool }: { readonly tool: JsonObject }) {
  const word = isDestructive(tool) ? 'destructive' : isReadOnly(tool) ? 'read-only' : undefined;
  if (word === undefined) return null;
  return (
    <Badge tone={word === 'destructive' ? 'error' : 'muted'} title={declaredHints(tool)}>
      {word === 'destructive' && <span aria-hidden="true">▲&nbsp;</span>}
      {word}
    </Badge>
  );
}

/** Returns true if a tool says that it changes nothing. */
export function isReadOnly(tool: JsonObject): boolean {
  return hintsOf(tool).some(([hint, value]) => hint === 'readOnlyHint' && value);
}

/** Lists a tool's hints, which are the server's claims. A missing hint has a default that is meant for hosts. */
function declaredHints(tool: JsonObject): string {
  return `The server declares ${hintsOf(tool)
    .map(([hint, value]) => `${hint}: ${value}`)
    .join(', ')}`;
}

function hintsOf(tool: JsonObject): readonly (readonly [hint: string, value: boolean])[] {
  const annotations = own(tool, 'annotations');
  if (!isObject(annotations)) return [];
  return HINTS.flatMap((hint) => {
    const value = own(annotations, hint);
    return typeof value === 'boolean' ? [[hint, value] as const] : [];
  });
}
