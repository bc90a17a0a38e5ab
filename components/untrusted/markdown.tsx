import { lazy, Suspense } from 'react';
import { LIMITS } from '@/lib/wire/limits';
import { RenderGuard } from './render-guard';
import { PreformattedText } from './untrusted-text';

const MarkdownBody = lazy(() => import('./markdown-body'));

/** A server's Markdown: no raw HTML, no images, links with visible URLs. Plain text until the parser is loaded. */
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

/** Returns true if a text is short enough for the parser. The parsed result has its own bounds. */
export function isParsableMarkdown(text: string): boolean {
  return text.length <= LIMITS.markdownChars;
}
