import { findBase64Texts } from './byte-text';
import type { SecretScan } from './found-secret';
import { Layouts } from './layouts';
import type { LiteralHit } from './literal-finder';
import { MappedText } from './mapped-text';
import { CookieLines, namedValue } from './named-value';
import { isMasked } from './placeholders';
import type { RuleId } from './rules';
import type { Shape } from './shapes';
import { isColumn, type LayoutKind, nextTrigger, type Trigger } from './triggers';

/** Bytes scanned in one step, a few milliseconds of work. */
export const REDACTED_SLICE_BYTES = 64 * 1024;

/** Terminal colours, which loggers put around names and values. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const CSI = /\u001b\[[0-?]{0,32}[ -/]{0,4}[@-~]/g;

/** Reports every secret in text that is not JSON, or in one string or name of JSON. Takes linear time. */
export function scanText(piece: MappedText, scan: SecretScan, place: () => string): void {
  let plain = piece.text.includes('\u001b[') ? piece.without(CSI) : piece;
  scanPlain(plain, scan, place);
  for (let times = 0; times < MOST_ENCODINGS && ENCODED_TWICE.test(plain.text); times++) {
    plain = plain.percentDecodedOnce();
    scanPlain(plain, scan, place);
  }
}

/** URLs nested in URLs are decoded this many times. */
const MOST_ENCODINGS = 3;
const ENCODED_TWICE = /%25[0-9A-Fa-f]{2}/;

/** Line breaks inside base64, PEM and long tokens that were wrapped at a width. */
const WRAPS = /\r?\n(?<=[A-Za-z0-9+/=_-]{40}\r?\n)[ \t]{0,8}(?=[A-Za-z0-9+/=_-])/g;

function scanPlain(piece: MappedText, scan: SecretScan, place: () => string): void {
  const { text } = piece;
  const report = (rule: RuleId, from: number, to: number, value = text.slice(from, to), more = {}) =>
    scan.found({ rule, value, from: piece.origin(from), to: piece.origin(to), place, ...more });

  scan.inText?.(text, report);
  if (scan.inText && text.includes('\n')) {
    const unwrapped = piece.without(WRAPS);
    if (unwrapped.text.length < text.length) {
      scan.inText(unwrapped.text, (rule, from, to, value = unwrapped.text.slice(from, to)) =>
        scan.found({ rule, value, from: unwrapped.origin(from), to: unwrapped.origin(to), place }),
      );
    }
  }
  if (scan.weak) {
    for (const { from, to, decodedText } of findBase64Texts(text)) {
      const found: SecretScan['found'] = ({ rule, value }) => report(rule, from, to, value);
      scanText(MappedText.whole(decodedText), { weak: false, found }, place);
    }
  }
  let lines: CookieLines | undefined;
  let layouts: Layouts | undefined;
  const layOut = (kind: LayoutKind, at: number) => {
    layouts ??= new Layouts(text, scan.weak, ({ rule, weak }, from, to, value) =>
      report(rule, from, to, value, { weak }),
    );
    layouts.findFrom(kind, at);
  };
  let behind: Pick<LiteralHit, 'end' | 'state'>;
  for (let trigger = nextTrigger(text); trigger; trigger = nextTrigger(text, behind)) {
    behind = trigger.hit;
    if (trigger.is === 'shape') {
      const found = shapeAt(text, trigger);
      if (!found) continue;
      const { rule, from, to, password } = found;
      report(rule, from, to, undefined, { shape: true });
      if (password !== undefined) report('password', from, to, password);
      if (to > behind.end) behind = { end: to, state: 0 };
    } else if (trigger.is === 'layout') {
      layOut(trigger.kind, trigger.at);
    } else {
      lines ??= new CookieLines(text);
      const named = namedValue(text, trigger.name, scan.weak, lines);
      if (!named && isColumn(text, trigger.name)) layOut('table', trigger.at);
      if (!named) continue;
      report(named.secret.rule, named.from, named.to, named.value, { weak: named.secret.weak });
      if (named.password !== undefined) report('password', named.from, named.to, named.password);
      const next = CHANGED.exec(text.slice(named.to, named.to + MOST_CHANGED_CHARS));
      if (next) {
        const from = named.to + next[0].length - next[1]!.length;
        report(named.secret.rule, from, from + next[1]!.length);
      }
      if (named.to > behind.end) behind = { end: named.to, state: 0 };
    }
  }
}

interface ShapeFound {
  readonly rule: RuleId;
  readonly from: number;
  readonly to: number;
  /** The password, if the secret is `user:password`. */
  readonly password?: string | undefined;
}

function shapeAt(text: string, { at, shapes }: Extract<Trigger, { is: 'shape' }>): ShapeFound | undefined {
  for (const shape of shapes) {
    const begin = at - (shape.back ?? 0);
    if (begin < 0 || (isWordStart(shape) && isInsideWord(text, begin))) continue;
    shape.pattern.lastIndex = begin;
    const match = shape.pattern.exec(text);
    if (!match) continue;
    const secret = match[1] ?? match[0];
    if (shape.accepts && !shape.accepts(secret)) continue;
    const from = begin + match[0].lastIndexOf(secret);
    const password = shape.holdsPassword?.(secret);
    if (isMasked(secret) || (password !== undefined && isMasked(password))) continue;
    return { rule: shape.rule, from, to: uncut(text, from, from + secret.length), password };
  }
  return undefined;
}

/** Terraform prints a change as `"before" -> "after"`. */
const CHANGED = /^\\{0,7}"\s{1,4}->\s{1,4}\\{0,7}"([^"\\\r\n]{4,500})/;
/** Characters of the longest match of the pattern above. */
const MOST_CHANGED_CHARS = 520;

/** A match of this many characters may have been cut by the bounds of its pattern. */
const CUT_CHARS = 16_384;
const REST = /[\w-]+(?:\.[\w-]+)*/y;

/** Returns the real end of a match that is as long as its pattern allows. */
function uncut(text: string, from: number, to: number): number {
  if (to - from < CUT_CHARS) return to;
  REST.lastIndex = to;
  return to + (REST.exec(text)?.[0].length ?? 0);
}

function isWordStart({ starts: [start = ''] }: Shape): boolean {
  return /^\w/.test(start);
}

/** Returns true if a word continues here. The end of an escape is not part of a word. */
function isInsideWord(text: string, at: number): boolean {
  if (at === 0 || !/[A-Za-z0-9_-]/.test(text[at - 1]!)) return false;
  return !/(?:%[0-9A-Fa-f]{2}|\\[bfnrt])$/.test(text.slice(Math.max(0, at - 3), at));
}

/** Characters by which slices overlap. Nothing that is looked for is longer. */
const OVERLAP_CHARS = 20_000;

/** The span of a text to scan, and whether JSON escapes are decoded in it. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly escaped: boolean;
}

/**
 * Reports every secret in a long text, slice by slice. Slices overlap so that nothing is cut; a secret in two slices is
 * reported twice.
 */
export function* scanInSlices(
  piece: MappedText,
  { from, to, escaped }: Stretch,
  scan: SecretScan,
  place: () => string,
): Generator<void> {
  for (let at = from; at < to; ) {
    const next = whole(piece.text, Math.min(to, at + REDACTED_SLICE_BYTES), at);
    const end = whole(piece.text, Math.min(to, next + OVERLAP_CHARS), next);
    scanText(escaped ? piece.unescaped(at, end) : piece.slice(at, end), scan, place);
    yield;
    at = next;
  }
}

/** Returns a nearby place, not after `at`, that does not split an escape. */
function whole(text: string, at: number, least: number): number {
  const start = Math.max(0, at - ESCAPE_CHARS);
  const slash = text.slice(start, at + 1).lastIndexOf('\\');
  if (at >= text.length || slash < 0) return at;
  let from = start + slash;
  while (from > least + 1 && at - from < BACKSLASH_CHARS && text[from - 1] === '\\') from--;
  return from > least ? from : at;
}

/** Characters of two UTF-16 escapes. */
const ESCAPE_CHARS = 12;
/** Most backslashes before a place that are checked. */
const BACKSLASH_CHARS = 64;
