import { canonicalJson } from '@/lib/json/canonical';
import { isObject, type JsonObject, own } from '@/lib/json/value';

/** Blocks of a result that are looked at. */
const MOST_BLOCKS = 1000;

/** The facts about the result of a call that hosts treat differently. */
export interface ResultFacts {
  readonly isError: boolean;
  readonly blocks: number;
  /** Types of blocks, such as `text`. */
  readonly types: ReadonlySet<string>;
  /** Characters of all text blocks, and of the longest one. */
  readonly textChars: number;
  readonly longestText: number;
  /** True if there is an embedded resource with a text. */
  readonly embedsText: boolean;
  /** MIME types of pictures. */
  readonly pictures: readonly string[];
  /** True if every block is for somebody else than the model. */
  readonly isHidden: boolean;
  readonly hasStructured: boolean;
  /** True if there is a text that is not the structured content, nor a part of it. */
  readonly saysMore: boolean;
}

/** Reads the result of a call. Ignores what is not valid. */
export function readResult(result: JsonObject): ResultFacts {
  const content = own(result, 'content');
  const blocks = Array.isArray(content) ? content.slice(0, MOST_BLOCKS).filter(isObject) : [];
  const types = blocks.map((block) => own(block, 'type'));
  const texts = blocks.flatMap((block) => {
    const text = own(block, 'text');
    return own(block, 'type') === 'text' && typeof text === 'string' ? [text] : [];
  });
  const structured = own(result, 'structuredContent');
  const parts = structured === undefined || texts.length === 0 ? undefined : partsOf(structured);
  return {
    isError: own(result, 'isError') === true,
    blocks: blocks.length,
    types: new Set(types.filter((type) => typeof type === 'string')),
    textChars: texts.reduce((sum, text) => sum + text.length, 0),
    longestText: Math.max(0, ...texts.map((text) => text.length)),
    embedsText: blocks.some((block) => {
      const resource = own(block, 'type') === 'resource' ? own(block, 'resource') : undefined;
      return isObject(resource) && typeof own(resource, 'text') === 'string';
    }),
    pictures: blocks.flatMap((block) => {
      const mimeType = own(block, 'mimeType');
      return own(block, 'type') === 'image' && typeof mimeType === 'string' ? [mimeType] : [];
    }),
    isHidden: blocks.length > 0 && blocks.every(isForOthers),
    hasStructured: structured !== undefined,
    saysMore: parts !== undefined && texts.some((text) => text.trim() !== '' && !parts.has(canonicalOf(text))),
  };
}

function isForOthers(block: JsonObject): boolean {
  const annotations = own(block, 'annotations');
  const audience = isObject(annotations) ? own(annotations, 'audience') : undefined;
  return Array.isArray(audience) && !audience.includes('assistant');
}

/** Parts of a structured content that are compared with the texts. */
const MOST_PARTS = 1000;

/**
 * Returns the structured content and its parts as canonical texts. SDKs wrap a text or a list in a member, and write
 * each item of a list as a block.
 */
function partsOf(structured: unknown): ReadonlySet<string> {
  const parts: unknown[] = [structured];
  for (let next = 0; next < parts.length && parts.length < MOST_PARTS; next++) {
    const part = parts[next];
    if (typeof part === 'object' && part !== null) parts.push(...Object.values(part).slice(0, MOST_PARTS));
  }
  return new Set(
    parts.slice(0, MOST_PARTS).map((part) => canonicalOf(typeof part === 'string' ? part : JSON.stringify(part))),
  );
}

/** Returns one text for all spellings of JSON, and other text without space around it. */
function canonicalOf(text: string): string {
  return canonicalJson(text.trim());
}
