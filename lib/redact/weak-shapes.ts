import { MASKED_PATTERN } from './placeholders';
import type { RuleId } from './rules';
import { isRandom } from './secret-values';

/** A shape that may be private. It is not removed while recording. */
interface WeakShape {
  readonly rule: RuleId;
  /**
   * A global expression. Its first group, if any, is the private part. It takes linear time: no unbounded repetition
   * can restart inside itself.
   */
  readonly pattern: RegExp;
  readonly accepts?: (text: string) => boolean;
}

/** How PNG, JPEG, GIF, WebP and WAV start in base64. A small picture looks random but is not a secret. */
const MEDIA = /^(?:iVBORw0KGgo|\/9j\/4|R0lGOD[dl]h|UklGR)/;

const WEAK_SHAPES: readonly WeakShape[] = [
  {
    rule: 'email',
    pattern: /(?<![\w.+%-])[\w.+%-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![\w-])/g,
    accepts: (text) =>
      !/@(?:[\w.-]+\.)?(?:example|test|invalid|localhost)(?:\.(?:com|org|net))?$|^git@|^no-?reply@/i.test(text),
  },
  {
    rule: 'home-path',
    // Two backslashes are a backslash in a string inside a string.
    pattern: /(?:\/(?:home|Users)\/|[A-Za-z]:(?:\\{1,4}|\/)Users(?:\\{1,4}|\/))([^\s/\\:"'<>|,;)\]}]{1,64})/g,
    accepts: (text) => !/^(?:user|username|you|me|runner|node|root|Public|Shared|<.*|\.+|\*+)$/.test(text),
  },
  {
    rule: 'random',
    pattern: /(?<![\w+/=-])[A-Za-z0-9_+/-]{16,120}={0,2}(?![\w+/=-])/g,
    accepts: (text) => isRandom(text) && !MEDIA.test(text),
  },
  {
    // Keys, digests and ids look alike, so only a person can tell.
    rule: 'random',
    pattern: /(?<![\w-])(?:0x)?[0-9a-fA-F]{32,128}(?![\w-])/g,
    accepts: (text) => /\d/.test(text) && /[a-f]/i.test(text),
  },
];

/**
 * Names of secrets in a few languages and kinds of code. Random-looking text shortly after one is probably its value.
 */
const NAME_BEFORE =
  /pass(?:wor[dt]|phrase)|passwd|pwd|kennwort|contrase|senha|secret|token|api.?key|private.?key|credential|(?:x-|\b)auth/i;
/** Such a name is looked for in this many characters before a text. */
const NEAR_CHARS = 40;

/** Reports everything in byte text that may be private. */
export function scanWeakShapes(text: string, report: (rule: RuleId, from: number, to: number) => void): void {
  for (const { rule, pattern, accepts } of WEAK_SHAPES) {
    for (const match of text.matchAll(pattern)) {
      const meant = match[1] ?? match[0];
      if (accepts && !accepts(meant)) continue;
      const to = match.index + match[0].length;
      report(rule === 'random' && isBehindName(text, match.index) ? 'secret-name' : rule, to - meant.length, to);
    }
  }
}

function isBehindName(text: string, at: number): boolean {
  return NAME_BEFORE.test(text.slice(Math.max(0, at - NEAR_CHARS), at).replace(MASKED_PATTERN, ''));
}
