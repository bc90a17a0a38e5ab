import type { Token } from 'markdown-it';
import MarkdownIt from 'markdown-it';
import { textRuns } from '@/components/ui/visible-text';

export const MARKDOWN_TOKENS = 20_000;
export const MARKDOWN_DEPTH = 32;
/** Elements and texts drawn of Markdown; what comes after them is shown as it was written. */
export const MARKDOWN_NODES = 3000;

/** One element or text of a document. */
export interface MarkdownNode {
  /** Unique among its siblings. */
  readonly key: number;
  /** What markdown-it calls it, without `_open`: `paragraph`, `link`, `text` … */
  readonly type: string;
  /** For a text, with its soft line breaks; else what markdown-it found between the marks. */
  readonly content: string;
  readonly token: Token;
  readonly children: readonly MarkdownNode[];
}

export interface ParsedMarkdown {
  readonly nodes: readonly MarkdownNode[];
  /** The lines after what is drawn, as written. Empty if all is drawn. */
  readonly rest: string;
}

/** Thrown out of the parser, which knows no other way to stop. */
class TooMuch extends Error {}

/**
 * No HTML, and nothing that would be taken away unseen: definitions of references stay text, since they would hide what a
 * model reads. Addresses stay as written: the link component judges them.
 */
const parser = new MarkdownIt({ html: false, linkify: false, maxNesting: MARKDOWN_DEPTH });
parser.block.ruler.disable('reference');
parser.validateLink = () => true;
parser.normalizeLink = (address) => address;
parser.normalizeLinkText = (address) => address;

const BlockState = parser.block.State;
parser.block.State = class extends BlockState {
  /** markdown-it leaves out what nests deeper than it goes, and one short row can make a thousand cells. */
  override push(...args: Parameters<InstanceType<typeof BlockState>['push']>): Token {
    const token = super.push(...args);
    if (this.level >= MARKDOWN_DEPTH || this.tokens.length > MARKDOWN_TOKENS) throw new TooMuch();
    return token;
  }
};

/** What to draw for a text; undefined if it is to be shown as it was written: too long, too deep, or nothing of it would fit. */
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

/** How many of the tokens are drawn, and the line on which the first of the others begins. A cut falls between lines only. */
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

/** Nodes that a token makes: one for each run of hidden characters, and some more for an address that is told. */
function weight({ type, nesting, hidden, children, content }: Token): number {
  if (type === 'link_open' || type === 'image') return 4;
  if (children) return children.reduce((sum, child) => sum + weight(child), 0);
  return nesting < 0 || hidden ? 0 : Math.max(1, textRuns(content).length);
}

interface OpenNode extends MarkdownNode {
  content: string;
  readonly children: OpenNode[];
}

/** Folds tokens that open and close into nodes. A paragraph that a tight list hides is left out, its content is not. */
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

/** A first line that opens a list: what is indented below it may belong to its item. */
const ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+/;

/** Indentation that makes a code block. */
const CODE = 4;

/**
 * Takes the indentation away that all lines after the first share, as in a text written inside indented source code: Markdown
 * would take it for a code block. Under a first line that opens a list item it stays, unless it is too deep for that item.
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
