import { memo, type ReactNode, useMemo } from 'react';
import { CodeText } from './code-text';
import { ExternalLink } from './links';
import { type MarkdownNode, parseMarkdown } from './markdown-parser';
import { PreformattedText, TextRuns, UntrustedText } from './untrusted-text';

/** Parsed Markdown. Text that is too large or too deep is shown as written. */
function MarkdownBody({ text }: { readonly text: string }) {
  const parsed = useMemo(() => parseMarkdown(text), [text]);
  if (!parsed) return <PreformattedText text={text} />;
  return (
    // About 68 characters of text are as wide as 52 digits. Code and tables may take all the width.
    <div className="flex min-w-0 flex-col gap-2 break-words *:max-w-[52ch] [&>div]:max-w-none [&>pre]:max-w-none">
      <MarkdownNodes nodes={parsed.nodes} />
      {parsed.rest !== '' && (
        <>
          <p className="text-muted">This text is too long to lay out. The rest is shown as written.</p>
          <PreformattedText text={parsed.rest} />
        </>
      )}
    </div>
  );
}

export default memo(MarkdownBody);

/** Draws each type of node. Other types are drawn as their text. */
const DRAW: Readonly<Record<string, (node: MarkdownNode) => ReactNode>> = {
  paragraph: (node) => <p dir="auto">{inside(node)}</p>,
  heading: (node) => {
    const { Tag, className } = HEADINGS[node.token.tag] ?? SMALLEST_HEADING;
    return (
      <Tag dir="auto" className={className}>
        {inside(node)}
      </Tag>
    );
  },
  em: (node) => <em>{inside(node)}</em>,
  strong: (node) => <strong>{inside(node)}</strong>,
  s: (node) => <del>{inside(node)}</del>,
  code_inline: (node) => (
    <code className="bg-surface font-mono text-wire">
      <bdi>{words(node.content)}</bdi>
    </code>
  ),
  code_block: (node) => code(node),
  fence: (node) => code(node),
  hardbreak: () => <br />,
  hr: () => <hr />,
  blockquote: (node) => <blockquote className="border-l-2 border-line pl-2">{inside(node)}</blockquote>,
  bullet_list: (node) => <ul className="list-disc pl-5">{inside(node)}</ul>,
  ordered_list: (node) => (
    <ol start={Number(attribute(node, 'start') || 1)} className="list-decimal pl-5">
      {inside(node)}
    </ol>
  ),
  list_item: (node) => <li dir="auto">{inside(node)}</li>,
  table: (node) => (
    <div className="overflow-x-auto">
      <table className="border-collapse">{inside(node)}</table>
    </div>
  ),
  thead: (node) => <thead>{inside(node)}</thead>,
  tbody: (node) => <tbody>{inside(node)}</tbody>,
  tr: (node) => <tr>{inside(node)}</tr>,
  th: (node) => (
    <th dir="auto" className="border border-line bg-surface px-2 py-0.5 text-start font-medium">
      {inside(node)}
    </th>
  ),
  td: (node) => (
    <td dir="auto" className="border border-line px-2 py-0.5 text-start align-top">
      {inside(node)}
    </td>
  ),
  link: (node) => {
    const address = attribute(node, 'href');
    return (
      // In text from right to left, a link would else stand beside the address of another one.
      <bdi dir="ltr">
        <ExternalLink address={address}>{isJust(node, address) ? address : <bdi>{inside(node)}</bdi>}</ExternalLink>
        {aside(attribute(node, 'title'))}
      </bdi>
    );
  },
  // Never fetched, because an image can be a tracking beacon.
  image: (node) => (
    <bdi dir="ltr" className="text-muted">
      [image not loaded: <UntrustedText text={node.content || 'no description'} limit={200} />{' '}
      <UntrustedText text={attribute(node, 'src')} limit={200} />
      {aside(attribute(node, 'title'))}]
    </bdi>
  ),
};

/** Draws parsed Markdown as elements and text, never as HTML. */
function MarkdownNodes({ nodes }: { readonly nodes: readonly MarkdownNode[] }) {
  return nodes.map((node) => <Drawn key={node.key} node={node} />);
}

function Drawn({ node }: { readonly node: MarkdownNode }) {
  return DRAW[node.type]?.(node) ?? words(node.content);
}

function inside(node: MarkdownNode): ReactNode {
  return <MarkdownNodes nodes={node.children} />;
}

/** The block around it has the direction of its text. */
function words(text: string): ReactNode {
  return <TextRuns text={text} />;
}

/** Draws a code block. Its info string is shown too, because it could hide text. */
function code(node: MarkdownNode): ReactNode {
  const [language = ''] = node.token.info.trim().split(/\s/, 1);
  return (
    <pre className="overflow-x-auto bg-surface p-2 font-mono text-wire">
      {node.token.info !== '' && (
        <UntrustedText text={`${node.token.info.trim()}\n`} limit={200} className="text-muted" />
      )}
      <code className="bg-surface font-mono text-wire">
        {language === '' ? words(node.content) : <CodeText code={node.content} names={language} />}
      </code>
    </pre>
  );
}

function aside(title: string): ReactNode {
  return title === '' ? undefined : <UntrustedText text={` “${title}”`} limit={200} className="text-muted" />;
}

const SMALLEST_HEADING = { Tag: 'h6', className: 'mt-1 font-semibold' } as const;
/** Headings of a document, which stand below those of the page. */
const HEADINGS: Readonly<Record<string, { readonly Tag: 'h4' | 'h5' | 'h6'; readonly className: string }>> = {
  h1: { Tag: 'h4', className: 'mt-2 text-[18px] leading-6 font-semibold first:mt-0' },
  h2: { Tag: 'h5', className: 'mt-2 text-title font-semibold first:mt-0' },
};

/** Returns true for a link whose text is its URL, which is then shown only once. */
function isJust({ children }: MarkdownNode, address: string): boolean {
  return children.length === 1 && children[0]?.type === 'text' && children[0].content === address;
}

function attribute(node: MarkdownNode, name: string): string {
  return String(node.token.attrGet(name) ?? '');
}
