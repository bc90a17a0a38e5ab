import { lazy, Suspense } from 'react';
import { isParsableMarkdown } from './markdown-bound';
import { PlainMarkdown } from './markdown-plain';
import { RenderGuard } from './render-guard';

const MarkdownBody = lazy(() => import('./markdown-body'));

/** A server's Markdown: no raw HTML, no images, links with their addresses shown. Plain text until the parser has loaded. */
export function Markdown({ text }: { readonly text: string }) {
  const plain = <PlainMarkdown text={text} />;
  if (!isParsableMarkdown(text)) return plain;
  return (
    <RenderGuard key={text} fallback={plain}>
      <Suspense fallback={plain}>
        <MarkdownBody text={text} />
      </Suspense>
    </RenderGuard>
  );
}
