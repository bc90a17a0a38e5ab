import { visibleText } from '@/components/ui/visible-text';
import { formatBytes } from '@/lib/wire/format-bytes';

/** What of a data URI says what file it is. */
const DATA_URI = /^data:([^;,]{0,100})(?:;name=([^;,]{0,200}))?/;

/** Characters shown of a text of which nothing else is known. */
const SHOWN = 40;

/** A text too long for a text box: what it is, and how large. */
export function LongText({ id, describedBy, text }: { id: string; describedBy: string; text: string }) {
  return (
    <output
      id={id}
      aria-describedby={describedBy}
      className="flex h-7 min-w-0 flex-1 items-center gap-2 rounded border border-line bg-raised px-2"
    >
      <span className="min-w-0 truncate font-mono text-wire">{visibleText(fileWords(text) ?? start(text))}</span>
      <span className="shrink-0 text-small text-muted">{formatBytes(text.length)}</span>
    </output>
  );
}

function start(text: string): string {
  return `${text.slice(0, SHOWN)}…`;
}

/** `photo.png image/png` of a data URI. */
function fileWords(text: string): string | undefined {
  const [, type, name] = DATA_URI.exec(text) ?? [];
  if (type === undefined) return undefined;
  try {
    return `${decodeURIComponent(name ?? '')} ${type || 'text/plain'}`.trim();
  } catch {
    return type;
  }
}
