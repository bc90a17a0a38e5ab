import type { Run } from './byte-text';
import { MASKED_PATTERN } from './placeholders';
import type { RuleId } from './rules';
import { isIdentifier, isRandom } from './values';

/** Reports what may be private but has neither the shape nor the name of a secret. Only for a review. */
export function scanGuesses(text: string, runs: readonly Run[], report: Report): void {
  for (const { rule, signs, pattern, accepts } of PRIVATE) {
    if (!signs.some((sign) => text.includes(sign))) continue;
    for (const match of text.matchAll(pattern)) {
      const meant = match[1] ?? match[0];
      const to = match.index + match[0].length;
      if (accepts(meant)) report(rule, to - meant.length, to);
    }
  }
  if (text.includes('://') || text.includes(':\\/\\/')) scanPaths(text, report);
  for (const { from, text: run } of runs) {
    for (const { 0: token, index } of run.matchAll(TOKEN)) {
      const kind = kindOf(token);
      if (kind === undefined) continue;
      const at = from + index;
      if (isBehindNoun(text, at)) report('secret-name', at, at + token.length);
      else if (kind === 'random' && isUnlikeData(text, at, token)) report('random', at, at + token.length);
    }
  }
}

const PRIVATE: readonly {
  readonly rule: RuleId;
  /** A match contains one of these. */
  readonly signs: readonly string[];
  readonly pattern: RegExp;
  readonly accepts: (text: string) => boolean;
}[] = [
  {
    rule: 'email',
    signs: ['@'],
    pattern: /(?<![\w.+%-])[\w.+%-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![\w-])/g,
    accepts: (text) =>
      !/@(?:[\w.-]+\.)?(?:example|test|invalid|localhost)(?:\.(?:com|org|net))?$|^git@|^no-?reply@|\.(?:png|jpe?g|svg|gif|webp|js|css)$/i.test(
        text,
      ),
  },
  {
    rule: 'home-path',
    signs: ['/home/', 'Users'],
    // Two backslashes are a backslash in a string inside a string.
    pattern: /(?:\/(?:home|Users)\/|[A-Za-z]:(?:\\{1,4}|\/)Users(?:\\{1,4}|\/))([^\s/\\:"'<>|,;)\]}]{1,64})/g,
    accepts: (text) => !/^(?:user|username|you|me|runner|node|root|Public|Shared|<.*|\.+|\*+)$/.test(text),
  },
];

const TOKEN = /(?<![\w+/=.-])[A-Za-z0-9_+/.~-]{12,400}={0,2}(?![\w+/=-])/g;
/** How PNG, JPEG, GIF, WebP and WAV start in base64. A small picture looks random but is not a secret. */
const MEDIA = /^(?:iVBORw0KGgo|\/9j\/4|R0lGOD[dl]h|UklGR)/;
/** Digests, UUIDs and numbers in hex. Nobody can tell a key from them without a name. */
const ID = /^(?:0x)?(?:[0-9a-f]{20,}|[0-9A-F]{20,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/** Returns what a token looks like: an id that may be anything, or random text; undefined for words and others. */
function kindOf(token: string): 'id' | 'random' | undefined {
  if (!/\d/.test(token) || !/[A-Za-z]/.test(token) || MEDIA.test(token) || token.length < LEAST_TOKEN_CHARS)
    return undefined;
  if (ID.test(token)) return 'id';
  if (isRandom(token)) return 'random';
  return isMachineMade(token) ? 'id' : undefined;
}

const LEAST_TOKEN_CHARS = 12;

/** Returns true if letters and digits alternate as in no word or version: `k3f0qa82hd7x`. */
function isMachineMade(token: string): boolean {
  if (/[/.~]/.test(token) || token.length < 16 || isIdentifier(token)) return false;
  return (token.match(/\d[A-Za-z]|[A-Za-z]\d/g)?.length ?? 0) >= Math.max(4, token.length / 6);
}

type Report = (rule: RuleId, from: number, to: number) => void;

/** Names of secrets in a few languages and kinds of code. Random-looking text soon after one is probably its value. */
const NOUN =
  /pass(?:wor[dt]|phrase|code)|passwd|pwd|kennwort|contrase|senha|wachtwoord|(?<!::?)secret(?!s?-?manager)|geheim|(?<![a-z])(?:access|auth|api|bot|admin|session|bearer|refresh|personal|app)?[ _-]?token(?![A-Za-z]|s?[ _-]?(?:count|type|limit|usage|budget))|api.?key|private.?key|access.?key|license.?key|credential|bearer|(?:x-|\b)auth(?!or)/gi;
/** Such a noun is looked for in this many characters before a text, on the same line or the one before. */
const NEAR_CHARS = 64;
/** Text between noun and value that ends their relation: another value, or a sentence. */
const APART =
  /\\*"\s*,\s*\\*"|[.;?!]\s+[A-Z]|\n.*\n|(?:id|uuid|sha\d*|commit|digest|hash|checksum|etag|integrity|resolved|version)\W{0,4}$/i;

function isBehindNoun(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - NEAR_CHARS), at).replace(MASKED_PATTERN, '');
  let last = -1;
  for (const { 0: noun, index } of before.matchAll(NOUN)) last = index + noun.length;
  return last >= 0 && !APART.test(before.slice(last));
}

/** Kinds of text that look random everywhere: digests of packages, ids of formats and commits. */
const DATA_BEFORE =
  /(?:sha\d{1,3}-|sha\d{1,3}:|\bh1:|integrity|checksum|digest|etag|nonce-|boundary=|base64,|cursor|requestid|request_id|request-id|traceparent|trace|hash|\bid"?\s?[:=]\s?"?|_id"?\s?[:=]\s?"?|[iI]d"?\s?[:=]\s?"?)[^\s]{0,8}$/i;

function isUnlikeData(text: string, at: number, token: string): boolean {
  return token.length >= 16 && !/[/.]/.test(token) && !DATA_BEFORE.test(text.slice(Math.max(0, at - 40), at));
}

const URL_PATH = /(?:https?|wss?):\\?\/\\?\/[^\s/\\"'<>`?#]{1,253}((?:\\?\/[^\s/\\"'<>`?#]{0,400}){1,24})/g;
/** Segments before which a random one is public: documents, commits, files. */
const PUBLIC =
  /^(?:d|commits?|blob|tree|raw|files?|documents?|spreadsheets|presentation|folders|gists?|releases|download|images?|media|assets|static|issues?|pull|comments?|posts?|videos?|watch|p|pages?|status|users?|docs?|browse|items?|objects?|projects?|runs|jobs|builds?|tasks?|sha256|ipfs|tx|block|address|package|pkg|-|packages?|_next|chunks|avatars?|photos?|attachments?)$/i;
/** Segments beside which even an id is a key. */
const KEYED =
  /^(?:mcp|sse|s|t|k|key|token|hooks?|webhooks?|catch|v\d|api|rpc|eth|bot.*|trigger|with|secret|messages?|stream|invite|reset|verify|magic|callback)$/i;

/** Characters of the shortest key in a path. */
const LEAST_KEY_CHARS = 20;

/** Reports keys in the paths of URLs, where hosted servers and webhooks have them. */
function scanPaths(text: string, report: Report): void {
  for (const match of text.matchAll(URL_PATH)) {
    const path = match[1]!;
    const start = match.index + match[0].length - path.length;
    const host = match[0].slice(0, match[0].length - path.length);
    let at = 0;
    const segments = path.split('/').map((written) => {
      const from = start + at;
      at += written.length + 1;
      return { text: written.replace(/\\$/, ''), from };
    });
    for (const [index, { text: segment, from }] of segments.entries()) {
      const bare = segment.replace(/^[a-z]{2,8}-/, '');
      const isMixedUp = isRandom(bare.replace(/[-_]/g, ''));
      const kind = segment.length < LEAST_KEY_CHARS ? undefined : isMixedUp ? 'random' : kindOf(bare);
      const [before, after] = [segments[index - 1]?.text ?? '', segments[index + 1]?.text ?? ''];
      if (kind === undefined || PUBLIC.test(before)) continue;
      const isKeyed =
        KEYED.test(before) ||
        /^(?:mcp|sse|ws|messages?)$/i.test(after) ||
        /\bmcp\b|hook|rpc|quiknode|infura|alchemy|ankr|moralis|pipedream|composio|zapier|smithery|ifttt|logic\.azure/i.test(
          host,
        ) ||
        /^private-/.test(segment);
      if (kind === 'random' ? isKeyed || !/\.\w{2,4}$/.test(segment) : isKeyed)
        report('url-path', from, from + segment.length);
    }
  }
}
