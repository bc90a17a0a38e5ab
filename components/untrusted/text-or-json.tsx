import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import { CopyButton, Segmented } from '@/components/ui/button';
import { JsonSource } from '@/lib/json/source';
import { formatCount } from '@/lib/wire/format';
import { JsonTree } from './json-tree';
import { LongText } from './long-text';
import { Markdown } from './markdown';

const CodeDocument = lazy(() => import('./code-document'));
const CsvTable = lazy(() => import('./csv-table'));

/** Longest text to parse as JSON, in characters; more would block the page. */
const MAX_PARSED = 1_000_000;

type Reading = 'Text' | 'JSON' | 'Markdown' | 'Table';

/** A server's text with a choice of views: text, and JSON, Markdown or a table if that is what it is. */
export function TextOrJson({
  text,
  mimeType = '',
  name = '',
  heading,
}: {
  readonly text: string;
  readonly mimeType?: string;
  /** File name or URI. Its extension tells the type of the text if `mimeType` does not. */
  readonly name?: string;
  /** Shown on one line with the choice of views. */
  readonly heading: ReactNode;
}) {
  const json = useMemo(() => (text.length <= MAX_PARSED ? parsed(text) : undefined), [text]);
  const extension = fileExtension(name);
  const other = json ? 'JSON' : layoutOf(mimeType, extension);
  const readings: readonly Reading[] = other ? [other, 'Text'] : ['Text'];
  const [chosen, setChosen] = useState<Reading>();
  const reading = chosen !== undefined && readings.includes(chosen) ? chosen : readings[0]!;
  const plain = <LongText text={text} />;
  return (
    <div className="min-w-0">
      <div className="mb-1 flex flex-wrap items-center gap-x-2">
        {heading}
        <span className="ml-auto flex items-center gap-x-2">
          {readings.length > 1 && (
            <Segmented label="View of the text" names={readings} chosen={reading} onChoose={setChosen} />
          )}
          <CopyButton text={() => text} label="Copy" />
        </span>
      </div>
      {text.length > MAX_PARSED && looksLikeJson(text) && (
        <p className="mb-1 text-muted">
          Too long to show as JSON ({formatCount(text.length)} characters, limit {formatCount(MAX_PARSED)}). The Pretty
          tab of the message log shows JSON of any length.
        </p>
      )}
      {reading === 'JSON' && json && <JsonTree json={json} />}
      {reading === 'Markdown' && <Markdown text={text} />}
      <Suspense fallback={plain}>
        {reading === 'Table' && <CsvTable text={text} />}
        {reading === 'Text' &&
          (isCode(mimeType, extension) ? (
            <CodeDocument code={text} names={`${subtypeOf(mimeType)} ${extension}`} />
          ) : (
            plain
          ))}
      </Suspense>
    </div>
  );
}

/** Returns the layout of a text that is a document or a table. */
export function layoutOf(mimeType: string, extension: string): 'Markdown' | 'Table' | undefined {
  const subtype = subtypeOf(mimeType);
  const type = subtype === '' || subtype === 'plain' || subtype === 'octet-stream' ? extension : subtype;
  if (/^(?:x-)?(?:markdown|md|mdx)$/.test(type)) return 'Markdown';
  return /^(?:csv|tsv|tab-separated-values)$/.test(type) ? 'Table' : undefined;
}

/** True if a text may be code. Its language is looked up in the worker that colours it. */
function isCode(mimeType: string, extension: string): boolean {
  const subtype = subtypeOf(mimeType);
  return extension !== '' || (subtype !== '' && subtype !== 'plain');
}

/** Returns the second half of a MIME type without its parameters. */
function subtypeOf(mimeType: string): string {
  return /^[^/;]*\/([^;\s]*)/.exec(mimeType.slice(0, 200))?.[1]?.toLowerCase() ?? '';
}

/** Returns the extension of the last segment of a path or URI; '' without one. */
export function fileExtension(name: string): string {
  return /\.([\w+#-]{1,12})(?:[?#].*)?$/.exec(name.slice(-300))?.[1]?.toLowerCase() ?? '';
}

/** Parses an object or array. A plain string or number is better shown as text. */
function parsed(text: string): JsonSource | undefined {
  return looksLikeJson(text) ? JsonSource.parse(text) : undefined;
}

function looksLikeJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
}
