import type { ShareOutput } from '@/lib/hooks/share';
import type { ShareKind } from '@/lib/sharing/share-job';
import { formatBytes } from '@/lib/wire/format';
import type { Failure } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';

/** A format to share in. */
export interface ShareFormat {
  readonly id: 'html' | 'recording' | 'link' | 'report' | 'diagram' | 'har';
  readonly title: string;
  readonly about: string;
  /** Name of the result on the button: “Save HTML”. */
  readonly result: string;
  /** True for text to paste. The button copies it, and the user can read it first. */
  readonly isText: boolean;
  /** It is about messages of a server. A log of no connection has none. */
  readonly isOfServer?: true;
  /** Returns the kind of output to make. */
  readonly kind: (options: FormatOptions) => ShareKind;
}

/** Choices of a format. */
export interface FormatOptions {
  /** Whether a recording file is gzipped. */
  readonly compressed: boolean;
}

/** The formats, in the order of their tiles. */
export const SHARE_FORMATS: readonly ShareFormat[] = [
  {
    id: 'html',
    title: 'HTML page',
    about: 'Viewer and recording in one file. Opens by double click, without network.',
    result: 'HTML',
    isText: false,
    kind: () => 'html',
  },
  {
    id: 'recording',
    title: 'Recording',
    about: 'A file for mcp-inspect, replay and verify.',
    result: 'recording',
    isText: false,
    kind: ({ compressed }) => (compressed ? 'gz' : 'jsonl'),
  },
  {
    id: 'link',
    title: 'Link',
    about: 'A URL that contains the recording. Browsers don’t send that part.',
    result: 'link',
    isText: true,
    kind: () => 'link',
  },
  {
    id: 'report',
    title: 'Bug report',
    about: 'Markdown with the failure, the steps to it, problems and stderr.',
    result: 'bug report',
    isText: true,
    isOfServer: true,
    kind: () => 'markdown',
  },
  {
    id: 'diagram',
    title: 'Diagram',
    about: 'A sequence diagram in Mermaid, which GitHub displays.',
    result: 'diagram',
    isText: true,
    isOfServer: true,
    kind: () => 'mermaid',
  },
  {
    id: 'har',
    title: 'HAR file',
    about: 'The HTTP traffic as an HTTP Archive, for browser tools and proxies.',
    result: 'HAR',
    isText: false,
    isOfServer: true,
    kind: () => 'har',
  },
];

/** Why a format is impossible, by the code of its failure. Other failures may go away. */
const IMPOSSIBLE: Readonly<Record<string, string>> = {
  'link-too-long': 'too large for a link',
  'page-too-large': 'too large for a page',
  'nothing-over-http': 'nothing over HTTP',
};

/** Returns why the chosen frames can't be shared in a format; undefined if they can, or it is not known yet. */
export function impossibleText(
  { id }: ShareFormat,
  output: ShareOutput | undefined,
  bytes: number | undefined,
): string | undefined {
  // Known at once, before the link is made.
  if (id === 'link' && bytes !== undefined && bytes > LIMITS.linkUnpackedBytes) return IMPOSSIBLE['link-too-long'];
  const code = output?.failure?.code ?? '';
  return Object.hasOwn(IMPOSSIBLE, code) ? IMPOSSIBLE[code] : undefined;
}

/** Returns why a link can't open the page that the user entered. */
export function linkFault(output: ShareOutput | undefined): Failure | undefined {
  return output?.failure?.code === 'link-base' ? output.failure : undefined;
}

/** Returns the size of an output in bytes. */
export function outputBytes(output: ShareOutput | undefined): number | undefined {
  const content = output?.made?.content;
  return typeof content === 'string' ? new Blob([content]).size : content?.size;
}

/** Returns the label of the button: “Save HTML, 1.3 MB”. */
export function actionText({ isText, result }: ShareFormat, bytes: number | undefined): string {
  const action = `${isText ? 'Copy' : 'Save'} ${result}`;
  return bytes === undefined ? action : `${action}, ${formatBytes(bytes)}`;
}
