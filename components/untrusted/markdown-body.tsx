import { memo, useMemo } from 'react';
import { MarkdownNodes } from './markdown-nodes';
import { PlainMarkdown } from './markdown-plain';
import { parseMarkdown } from './markdown-tokens';

/** The parser and what it draws; the text as written if that would be too much. */
function MarkdownBody({ text }: { readonly text: string }) {
  const parsed = useMemo(() => parseMarkdown(text), [text]);
  if (!parsed) return <PlainMarkdown text={text} />;
  return (
    <div className="flex min-w-0 flex-col gap-2 break-words">
      <MarkdownNodes nodes={parsed.nodes} />
      {parsed.rest !== '' && (
        <>
          <p className="text-muted">This text is too long to lay out. The rest of it is shown as it was written.</p>
          <PlainMarkdown text={parsed.rest} />
        </>
      )}
    </div>
  );
}

export default memo(MarkdownBody);
