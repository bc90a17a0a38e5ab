import type { RuleId } from './rules';

/** Personal details. */
export const PRIVATE: readonly {
  readonly rule: RuleId;
  /** A match contains one of these. */
  readonly signs: readonly string[];
  /** Its first group is the detail. */
  readonly pattern: RegExp;
  readonly accepts: (text: string) => boolean;
}[] = [
  {
    rule: 'email',
    signs: ['@'],
    // Begins with the sign, which is rare.
    pattern:
      /@(?<=(?=([\w.+%-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}(?![\w-])))(?<![\w.+%-])[\w.+%-]{1,64}@)/dg,
    accepts: (text) =>
      !/@(?:[\w.-]+\.)?(?:example|test|invalid|localhost)(?:\.(?:com|org|net))?$|^git@|^no-?reply@|\.(?:png|jpe?g|svg|gif|webp|js|css)$/i.test(
        text,
      ),
  },
  {
    rule: 'home-path',
    signs: ['/home/', 'Users'],
    // Two backslashes are a backslash in a string inside a string.
    pattern: /(?:\/(?:home|Users)\/|[A-Za-z]:(?:\\{1,4}|\/)Users(?:\\{1,4}|\/))([^\s/\\:"'<>|,;)\]}]{1,64})/dg,
    accepts: (text) => !/^(?:user|username|you|me|runner|node|root|Public|Shared|<.*|\.+|\*+)$/.test(text),
  },
];

/** How PNG, JPEG, GIF, WebP and WAV start in base64. A small picture looks random but is not a secret. */
export const MEDIA = /^(?:iVBORw0KGgo|\/9j\/4|R0lGOD[dl]h|UklGR)/;
/** Digests, UUIDs and numbers in hex. Nobody can tell a key from them without a name. */
export const ID = /^(?:0x)?(?:[0-9a-f]{20,}|[0-9A-F]{20,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/** Names of secrets in a few languages and kinds of code. Random-looking text soon after one is probably its value. */
export const NOUN =
  /(?<![/.@])(?:pass(?:wor[dt]|phrase|code)|passwd|pwd|kennwort|contrase|senha|wachtwoord|(?<!::?)secret(?!s?-?manager)|geheim|(?<![a-z])(?:access|auth|api|bot|admin|session|bearer|refresh|personal|app)?[ _-]?token(?![A-Za-z]|s?[ _-]?(?:count|type|limit|usage|budget))|api.?key|private.?key|access.?key|license.?key|credential|bearer|(?:x-)?auth(?!or))/gi;
/** Text between noun and value that ends their relation: another value, or a sentence. */
export const APART =
  /\\*"\s*,\s*\\*"|[.;?!]\s+[A-Z]|\n|\.\w|(?:id|uuid|sha\d*|commit|digest|hash|checksum|etag|integrity|resolved|version)\W{0,4}$/i;

/** Kinds of text that look random everywhere: digests of packages, ids of formats and commits. */
export const DATA_BEFORE =
  /(?:sha\d{1,3}-|sha\d{1,3}:|\bh1:|integrity|checksum|digest|etag|nonce-|boundary=|base64,|cursor|requestid|request_id|request-id|traceparent|trace|hash|\bid"?\s?[:=]\s?"?|_id"?\s?[:=]\s?"?|[iI]d"?\s?[:=]\s?"?)[^\s]{0,8}$/i;

/** Segments before which a random one is public: documents, commits, files. */
export const PUBLIC =
  /^(?:d|commits?|blob|tree|raw|files?|documents?|spreadsheets|presentation|folders|gists?|releases|download|images?|media|assets|static|issues?|pull|comments?|posts?|videos?|watch|p|pages?|status|users?|docs?|browse|items?|objects?|projects?|runs|jobs|builds?|tasks?|sha256|ipfs|tx|block|address|package|pkg|-|packages?|_next|chunks|avatars?|photos?|attachments?)$/i;
/** Segments beside which even an id is a key. */
export const KEYED =
  /^(?:mcp|sse|s|t|k|key|token|hooks?|webhooks?|catch|v\d|api|rpc|eth|bot.*|trigger|with|secret|messages?|stream|invite|reset|verify|magic|callback)$/i;
/** Segments before which one is a key. */
export const KEYED_BEFORE = /^(?:mcp|sse|ws|messages?)$/i;
/** Hosts whose paths have keys. */
export const KEYED_HOST =
  /\bmcp\b|hook|rpc|quiknode|infura|alchemy|ankr|moralis|pipedream|composio|zapier|smithery|ifttt|logic\.azure/i;
