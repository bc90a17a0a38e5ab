import type { Token } from 'markdown-it';
import MarkdownIt from 'markdown-it';
import { textRuns } from '@/components/ui/visible-text';

export const MARKDOWN_TOKENS = 20_000;
export const MARKDOWN_DEPTH = 32;
/** Most nodes to draw. The rest of the text is shown as written. */
export const MARKDOWN_NODES = 3000;

/** An element or text of a document. */
export interface MarkdownNode {
  /** Unique among its siblings. */
  readonly key: number;
  /** markdown-it's type without `_open`: `paragraph`, `link`, `text` … */
  readonly type: string;
  /** Text with its soft line breaks, or markdown-it's content of the element. */
  readonly content: string;
  readonly token: Token;
  readonly children: readonly MarkdownNode[];
}

export interface ParsedMarkdown {
  readonly nodes: readonly MarkdownNode[];
  /** The remaining lines as written. Empty if everything is drawn. */
  readonly rest: string;
}

/** Thrown to stop the parser. */
class TooMuch extends Error {}

/**
 * HTML is off. Reference definitions stay visible as text, because they could hide something that a model reads. URLs
 * stay as written; the link component decides which are safe.
 */
const parser = new MarkdownIt({ html: false, linkify: false, maxNesting: MARKDOWN_DEPTH });
parser.block.ruler.disable('reference');
parser.validateLink = () => true;
parser.normalizeLink = (address) => address;
parser.normalizeLinkText = (address) => address;

const BlockState = parser.block.State;
parser.block.State = class extends BlockState {
  /**
   * Throws at the limits. markdown-it itself would silently drop text that is nested too deeply, and one short row of a
   * table can make a thousand cells.
   */
  override push(...args: Parameters<InstanceType<typeof BlockState>['push']>): Token {
    const token = super.push(...args);
    if (this.level >= MARKDOWN_DEPTH || this.tokens.length > MARKDOWN_TOKENS) throw new TooMuch();
    return token;
  }
};

/** Parses Markdown. Returns undefined if the text is too long or nested too deeply. Show it as written then. */
export function parseMarkdown(written: string): ParsedMarkdown | undefined {
  const text = dedent(written);
  try {
    const tokens = parser.parse(text, {});
    const { end, line } = drawable(tokens);
    if (end === 0 && tokens.length > 0) return undefined;
    const rest =
      end < tokens.length
        ? text
            .split(/\r\n?|\n/)
            .slice(line)
            .join('\n')
        : '';
    return { nodes: tree(tokens.slice(0, end)), rest };
  } catch (error) {
    if (error instanceof TooMuch) return undefined;
    throw error;
  }
}

/** Returns how many tokens to draw, and the line at which the rest begins. Cuts only between lines. */
function drawable(tokens: readonly Token[]): { end: number; line: number } {
  let nodes = 0;
  let cut = { end: 0, line: -1 };
  for (const [index, token] of tokens.entries()) {
    if (token.map && token.nesting >= 0 && token.map[0] > cut.line) cut = { end: index, line: token.map[0] };
    nodes += weight(token);
    if (nodes > MARKDOWN_NODES) return cut;
  }
  return { end: tokens.length, line: -1 };
}

/** Returns the number of nodes a token makes: one per text run, and more for a link that shows its URL. */
function weight({ type, nesting, hidden, children, content }: Token): number {
  if (type === 'link_open' || type === 'image') return 4;
  if (children) return children.reduce((sum, child) => sum + weight(child), 0);
  return nesting < 0 || hidden ? 0 : Math.max(1, textRuns(content).length);
}

interface OpenNode extends MarkdownNode {
  content: string;
  readonly children: OpenNode[];
}

/** Folds opening and closing tokens into nodes. Hidden paragraphs of tight lists are replaced by their content. */
function tree(tokens: readonly Token[]): readonly MarkdownNode[] {
  const roots: OpenNode[] = [];
  const open: OpenNode[][] = [roots];
  let key = 0;
  const add = (token: Token) => {
    if (token.type === 'inline') {
      token.children?.forEach(add);
      return;
    }
    if (token.hidden) return;
    if (token.nesting < 0) {
      open.pop();
      return;
    }
    const siblings = open.at(-1) ?? roots;
    const type = token.type === 'softbreak' ? 'text' : token.type.replace(/_open$/, '');
    const content = token.type === 'softbreak' ? '\n' : token.content;
    const last = siblings.at(-1);
    if (type === 'text' && last?.type === 'text') {
      last.content += content;
      return;
    }
    const node: OpenNode = { key: key++, type, content, token, children: [] };
    siblings.push(node);
    if (token.nesting === 0) return;
    if (open.length >= MARKDOWN_DEPTH) throw new TooMuch();
    open.push(node.children);
  };
  tokens.forEach(add);
  return roots;
}

/** A line that opens a list item, to which indented lines below may belong. */
const ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+/;

/** Indentation of a code block, in columns. */
const CODE = 4;

/**
 * Removes the indentation shared by all lines after the first, because Markdown would read indented lines as a code
 * block. Texts written in indented source code have it. After a list item the indentation stays, unless it is too deep
 * to belong to the item.
 */
export function dedent(text: string): string {
  const [first = '', ...others] = text.split(/\r\n?|\n/);
  const shared = sharedIndentation(others);
  const item = ITEM.exec(first)?.[0].length;
  if (item !== undefined && shared.length < item + CODE) return text;
  return [first.trimStart(), ...others.map((line) => (line.startsWith(shared) ? line.slice(shared.length) : ''))].join(
    '\n',
  );
}

function sharedIndentation(lines: readonly string[]): string {
  let shared: string | undefined;
  for (const line of lines) {
    if (line.trim() === '') continue;
    const own = /^[ \t]*/.exec(line)?.[0] ?? '';
    if (shared === undefined) shared = own;
    while (!own.startsWith(shared)) shared = shared.slice(0, -1);
  }
  return shared ?? '';
}
