import { isObject } from '@/lib/json/value';
import { safeUrl } from '@/lib/wire/safe-url';

/** Something that an app asked of the person. */
export interface AppWish {
  readonly kind: 'message' | 'link' | 'context' | 'download';
  /** The app's words. For a link, its URL. */
  readonly text: string;
  /** Set if it was refused: by the person, or because mcp-inspect opens no such link. */
  readonly refused?: 'by you' | 'its scheme is not http, https or mailto';
}

/** A link or message of an app that waits for the person's decision. */
export type AppQuestion = AppWish & { readonly kind: 'message' | 'link' };

/** Lets the person decide, and lists what was decided. */
export interface WishEvents {
  /** Resolves to false if the person refuses. */
  mayDo(question: AppQuestion): Promise<boolean>;
  onWish(wish: AppWish): void;
}

/** The answer to an app: `isError` if its wish was refused (MCP Apps 2026-01-26). */
type WishAnswer = { readonly isError: true } | Record<string, never>;

/** Answers `ui/open-link` as the person decides. Refuses a link that could run code or read a file, without asking. */
export async function answerLink(url: string, events: WishEvents): Promise<WishAnswer> {
  if (safeUrl(url) !== undefined) return decided({ kind: 'link', text: url }, events);
  events.onWish({ kind: 'link', text: url, refused: 'its scheme is not http, https or mailto' });
  return { isError: true };
}

/** Answers `ui/message` as the person decides. */
export function answerMessage(content: unknown, events: WishEvents): Promise<WishAnswer> {
  return decided({ kind: 'message', text: shownContent(content) }, events);
}

async function decided(question: AppQuestion, events: WishEvents): Promise<WishAnswer> {
  const isAllowed = await events.mayDo(question);
  events.onWish(isAllowed ? question : { ...question, refused: 'by you' });
  return isAllowed ? {} : { isError: true };
}

/** Returns the text of content blocks. Other blocks as JSON. */
export function shownContent(content: unknown): string {
  const blocks = Array.isArray(content) ? content : [content];
  return blocks
    .map((block) => (isObject(block) && typeof block.text === 'string' ? block.text : JSON.stringify(block)))
    .join('\n');
}
