import type { Run } from './byte-text';
import { APART, DATA_BEFORE, ID, KEYED, KEYED_BEFORE, KEYED_HOST, MEDIA, NOUN, PRIVATE, PUBLIC } from './guess-rows';
import { MASKED_PATTERN } from './placeholders';
import type { RuleId } from './rules';
import { isDistinctive, isRandom } from './values';

type Report = (rule: RuleId, from: number, to: number) => void;

/** Reports what may be private but has neither the shape nor the name of a secret. Only for a review. */
export function scanGuesses(text: string, runs: readonly Run[], report: Report): void {
  for (const { rule, signs, pattern, accepts } of PRIVATE) {
    if (!signs.some((sign) => text.includes(sign))) continue;
    for (const { 1: meant = '', indices } of text.matchAll(pattern)) if (accepts(meant)) report(rule, ...indices![1]!);
  }
  if (text.includes('://') || text.includes(':\\/\\/')) scanPaths(text, report);
  for (const { from, text: run } of runs) {
    for (let match = TOKEN.exec(run); match; match = TOKEN.exec(run)) {
      const { 0: token, index } = match;
      const kind = kindOf(token);
      if (kind === undefined) continue;
      const at = from + index;
      if (isBehindNoun(text, at)) report('secret-name', at, at + token.length);
      else if (kind === 'random' && isUnlikeData(text, at, token)) report('random', at, at + token.length);
    }
  }
}

const TOKEN = /(?<![\w+/=.-])[A-Za-z0-9_+/.~-]{12,400}={0,2}(?![\w+/=-])/g;
/** Fewer characters are not reported without a noun. */
const LEAST_RANDOM_CHARS = 16;

/** Returns what a token looks like: an id that may be anything, or random text; undefined for words and others. */
function kindOf(token: string): 'id' | 'random' | undefined {
  if (!/\d/.test(token) || !/[A-Za-z]/.test(token)) return undefined;
  if (ID.test(token)) return 'id';
  return isRandom(token) && !MEDIA.test(token) ? 'random' : undefined;
}

/** A noun is looked for in this many characters before a text, on the same line or the one before. */
const NEAR_CHARS = 64;

function isBehindNoun(text: string, at: number): boolean {
  const near = text.slice(Math.max(0, at - NEAR_CHARS), at);
  if (near.search(NOUN) < 0) return false;
  const before = near.replace(MASKED_PATTERN, '');
  const last = [...before.matchAll(NOUN)].at(-1);
  return last !== undefined && !APART.test(before.slice(last.index + last[0].length));
}

function isUnlikeData(text: string, at: number, token: string): boolean {
  if (token.length < LEAST_RANDOM_CHARS || /[/.]/.test(token)) return false;
  return !DATA_BEFORE.test(text.slice(Math.max(0, at - 40), at));
}

const URL_PATH = /(?:https?|wss?):\\?\/\\?\/[^\s/\\"'<>`?#]{1,253}((?:\\?\/[^\s/\\"'<>`?#]{0,400}){1,24})/g;
/** Characters of the shortest key in a path, and of one beside a word for keys. */
const LEAST_KEY_CHARS = 20;
const LEAST_KEYED_CHARS = 12;

/** Reports keys in the paths of URLs, where hosted servers and webhooks have them. */
function scanPaths(text: string, report: Report): void {
  for (const { 0: url, 1: path = '', index } of text.matchAll(URL_PATH)) {
    const host = url.slice(0, url.length - path.length);
    const segments = [...path.matchAll(/[^/\\]+/g)];
    for (const [place, { 0: segment, index: from }] of segments.entries()) {
      const [before = '', after = ''] = [segments[place - 1]?.[0], segments[place + 1]?.[0]];
      if (segment.length < LEAST_KEYED_CHARS || PUBLIC.test(before)) continue;
      const bare = segment.replace(/^[a-z]{2,8}-/, '');
      const isKeyed =
        KEYED.test(before) || KEYED_BEFORE.test(after) || KEYED_HOST.test(host) || segment.startsWith('private-');
      const isLong = segment.length >= LEAST_KEY_CHARS && !/\.\w{2,4}$/.test(segment);
      const isKey = isKeyed ? isDistinctive(bare) && /\d/.test(bare) : isLong && isRandom(bare.replace(/[-_]/g, ''));
      if (!isKey) continue;
      const at = index + host.length + from;
      report('url-path', at, at + segment.length);
    }
  }
}
