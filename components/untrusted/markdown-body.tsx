import { Children, memo, type ReactNode } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { ExternalLink } from './external-link';
import { UntrustedText } from './untrusted-text';

/** Strings among the children, made safe to look at. */
function visible(children: ReactNode): ReactNode {
  return Children.map(children, (child) =>
    typeof child === 'string' ? <UntrustedText text={child} limit={20_000} /> : child,
  );
}

const COMPONENTS: Components = {
  a: ({ href, children }) => <ExternalLink address={href}>{children}</ExternalLink>,
  // Never fetched: an image is a beacon.
  img: ({ src, alt }) => (
    <span className="text-muted">
      [image not loaded: <UntrustedText text={alt || 'no description'} limit={200} />{' '}
      <UntrustedText text={typeof src === 'string' ? src : ''} limit={200} />]
    </span>
  ),
  // Task lists draw boxes that nobody can press.
  input: ({ checked }) => <span>{checked ? '[x] ' : '[ ] '}</span>,
  h1: ({ children }) => <p className="font-semibold">{visible(children)}</p>,
  h2: ({ children }) => <p className="font-semibold">{visible(children)}</p>,
  h3: ({ children }) => <p className="font-medium">{visible(children)}</p>,
  h4: ({ children }) => <p className="font-medium">{visible(children)}</p>,
  h5: ({ children }) => <p className="font-medium">{visible(children)}</p>,
  h6: ({ children }) => <p className="font-medium">{visible(children)}</p>,
  p: ({ children }) => <p>{visible(children)}</p>,
  li: ({ children }) => <li>{visible(children)}</li>,
  td: ({ children }) => <td className="border border-line px-2 text-left">{visible(children)}</td>,
  th: ({ children }) => <th className="border border-line px-2 text-left font-medium">{visible(children)}</th>,
  table: ({ children }) => (
    <div className="overflow-x-auto">
      <table className="border-collapse">{children}</table>
    </div>
  ),
  ul: ({ children }) => <ul className="list-disc pl-5">{children}</ul>,
  ol: ({ children, start }) => (
    <ol start={start} className="list-decimal pl-5">
      {children}
    </ol>
  ),
  pre: ({ children }) => <pre className="overflow-x-auto bg-surface p-2 font-mono text-wire">{children}</pre>,
  code: ({ children }) => <code className="bg-surface font-mono text-wire">{visible(children)}</code>,
  blockquote: ({ children }) => <blockquote className="border-l-2 border-line pl-2">{children}</blockquote>,
};

/** The parser and what it draws. Links are judged by {@link ExternalLink}, so the address goes through as written. */
function MarkdownBody({ text }: { readonly text: string }) {
  return (
    <div className="flex min-w-0 flex-col gap-2 break-words">
      <ReactMarkdown
        remarkPlugins={[remarkGfm]}
        components={COMPONENTS}
        urlTransform={(address) => address}
        skipHtml={false}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
}

export default memo(MarkdownBody);
