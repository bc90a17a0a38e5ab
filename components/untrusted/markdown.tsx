import { lazy, Suspense } from 'react';
import { LIMITS } from '@/lib/wire/limits';
import { RenderGuard } from './render-guard';
import { PreformattedText } from './untrusted-text';

const MarkdownBody = lazy(() => import('./markdown-body'));

/** A server's Markdown: no raw HTML, no images, links with their addresses shown. Plain text until the parser has loaded. */
export function Markdown({ text }: { readonly text: string }) {
  const plain = <PreformattedText text={text} />;
  if (!isParsableMarkdown(text)) return plain;
  return (
    <RenderGuard key={text} fallback={plain}>
      <Suspense fallback={plain}>
        <MarkdownBody text={text} />
      </Suspense>
    </RenderGuard>
  );
}

/** True if text can be given to the Markdown parser without stopping the page; what it makes of the text has bounds of its own. */
export function isParsableMarkdown(text: string): boolean {
  return text.length <= LIMITS.markdownChars;
}
