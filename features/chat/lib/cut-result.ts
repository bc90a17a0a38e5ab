import type { ChatPart } from './chat-frame';

/** Most characters of an image or another file in base64: 5 MB, the most that providers accept. */
const MOST_MEDIA_CHARS = 7_000_000;
/** Most characters of all images and files of a result. Providers accept requests of 20 MB and more. */
const MOST_MEDIA_CHARS_TOGETHER = 14_000_000;
/** Most parts of a result. */
const MOST_PARTS = 1000;

/** Result of a tool as the model gets it. `cutFrom`: characters of the whole, if something was left out. */
export interface CutResult {
  readonly parts: readonly ChatPart[];
  readonly cutFrom?: number;
}

/** Keeps the first `most` characters of a result's text, and says to the model what it does not see. */
export function cutResult(parts: readonly ChatPart[], most: number): CutResult {
  const kept: ChatPart[] = [];
  const whole = parts.reduce((sum, part) => sum + charsOf(part), 0);
  let left = most;
  let mediaLeft = MOST_MEDIA_CHARS_TOGETHER;
  let isCut = parts.length > MOST_PARTS;
  for (const part of parts.slice(0, MOST_PARTS)) {
    if (part.type === 'media') {
      const fits = part.data.length <= Math.min(MOST_MEDIA_CHARS, mediaLeft);
      if (fits) mediaLeft -= part.data.length;
      isCut ||= !fits;
      kept.push(fits ? part : { type: 'text', text: `[${part.mimeType.slice(0, 100)}: too large to show]` });
    } else if (part.type === 'text' || part.type === 'reasoning') {
      const text = beginning(part.text, left);
      left = Math.max(0, left - part.text.length);
      if (text.length < part.text.length) isCut = true;
      if (text !== '' || part.text === '') kept.push({ type: 'text', text });
    }
  }
  if (!isCut) return { parts: kept };
  const note = `[This result has ${whole} characters. You see only its beginning, ${most} characters at most.]`;
  return { parts: [...kept, { type: 'text', text: note }], cutFrom: whole };
}

function charsOf(part: ChatPart): number {
  if (part.type === 'media') return part.data.length;
  return part.type === 'text' || part.type === 'reasoning' ? part.text.length : 0;
}

/** Returns the first characters, without half of a surrogate pair. */
function beginning(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  return text.slice(0, Math.max(0, last >= 0xd800 && last < 0xdc00 ? most - 1 : most));
}
