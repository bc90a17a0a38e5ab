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
  /** MIME types of pictures. */
  readonly pictures: readonly string[];
  /** True if every block is for somebody else than the model. */
  readonly isHidden: boolean;
  readonly hasStructured: boolean;
  /** True if there is a text that is not the structured content as JSON. */
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
  const same = structured === undefined ? undefined : canonicalJson(JSON.stringify(structured));
  return {
    isError: own(result, 'isError') === true,
    blocks: blocks.length,
    types: new Set(types.filter((type) => typeof type === 'string')),
    textChars: texts.reduce((sum, text) => sum + text.length, 0),
    longestText: Math.max(0, ...texts.map((text) => text.length)),
    pictures: blocks.flatMap((block) => {
      const mimeType = own(block, 'mimeType');
      return own(block, 'type') === 'image' && typeof mimeType === 'string' ? [mimeType] : [];
    }),
    isHidden: blocks.length > 0 && blocks.every(isForOthers),
    hasStructured: structured !== undefined,
    saysMore: same !== undefined && texts.some((text) => text.trim() !== '' && !isSameJson(text, same)),
  };
}

function isForOthers(block: JsonObject): boolean {
  const annotations = own(block, 'annotations');
  const audience = isObject(annotations) ? own(annotations, 'audience') : undefined;
  return Array.isArray(audience) && !audience.includes('assistant');
}

function isSameJson(text: string, canonical: string): boolean {
  try {
    return canonicalJson(text) === canonical;
  } catch {
    return false;
  }
}
