import { isObject, type JsonObject, own } from '@/lib/json/value';
import { CARD_TYPE } from '@/lib/transports/look-further';
import { type CardAnswer, cardHeader, cardIn, typeOf } from './find-card';

// The shape of a Server Card: SEP-2127, schema v1 of the server-card extension.

/** A finding about a card. `error`: the schema or the specification forbids it. `warning`: it advises against it. */
export interface CardFinding {
  readonly severity: 'error' | 'warning';
  /** The member: `remotes[0].url`. */
  readonly at: string;
  readonly message: string;
}

const CARD_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json';

/** Finds what is wrong with an answer: its headers and its card. */
export function lintAnswer(answer: CardAnswer): readonly CardFinding[] {
  const cut = error('card', 'is longer than 64 KB, so it was not checked.');
  return [...lintHeaders(answer), ...(answer.isCut ? [cut] : lintCard(cardIn(answer)))];
}

/** Finds what is wrong with the headers of an answer. */
function lintHeaders(answer: CardAnswer): readonly CardFinding[] {
  const type = typeOf(answer);
  const findings: CardFinding[] = [];
  if (type !== CARD_TYPE) findings.push(warning('Content-Type', `is ${type || 'missing'}, expected ${CARD_TYPE}.`));
  if (cardHeader(answer, 'access-control-allow-origin') !== '*') {
    findings.push(error('Access-Control-Allow-Origin', 'is not *, so pages can’t read the card.'));
  }
  if (cardHeader(answer, 'cache-control') === undefined) {
    findings.push(warning('Cache-Control', 'is missing, so clients ask again each time.'));
  }
  return findings;
}

/** Checks a card against its schema. */
function lintCard(card: unknown): readonly CardFinding[] {
  if (!isObject(card)) return [error('card', 'is not a JSON object.')];
  const remotes = own(card, 'remotes');
  return [
    ...memberFindings(card, '', CARD),
    ...rangeFindings(own(card, 'version')),
    ...extraFindings(card),
    ...(Array.isArray(remotes) ? remotes.flatMap(remoteFindings) : []),
    ...listFindings(card, 'icons', ICON),
    ...(isObject(own(card, 'repository'))
      ? memberFindings(own(card, 'repository') as JsonObject, 'repository.', REPOSITORY)
      : []),
  ];
}

const error = (at: string, message: string): CardFinding => ({ severity: 'error', at, message });
const warning = (at: string, message: string): CardFinding => ({ severity: 'warning', at, message });

/** Returns a sentence without its subject if a value is wrong. */
type Judge = (value: unknown) => string | undefined;

interface Member {
  readonly required?: true;
  readonly judge: Judge;
}

type Members = Readonly<Record<string, Member>>;

const text =
  (least = 0, most = Number.POSITIVE_INFINITY): Judge =>
  (value) => {
    if (typeof value !== 'string') return 'is not a string.';
    if (value.length < least) return `is shorter than ${least} characters.`;
    return value.length > most ? `is longer than ${most} characters.` : undefined;
  };
const matching =
  (pattern: RegExp, words: string, judge: Judge = text()): Judge =>
  (value) =>
    judge(value) ?? (pattern.test(value as string) ? undefined : words);
const uri: Judge = (value) => text()(value) ?? (URL.canParse(value as string) ? undefined : 'is not an absolute URI.');
const list: Judge = (value) => (Array.isArray(value) ? undefined : 'is not a list.');
const texts: Judge = (value) =>
  Array.isArray(value) && value.every((item) => typeof item === 'string') ? undefined : 'is not a list of strings.';
const object: Judge = (value) => (isObject(value) ? undefined : 'is not an object.');
const flag: Judge = (value) => (typeof value === 'boolean' ? undefined : 'is not true or false.');
const word =
  (...words: readonly string[]): Judge =>
  (value) =>
    words.includes(value as string) ? undefined : `is not one of ${words.join(', ')}.`;

const CARD: Members = {
  $schema: { required: true, judge: (value) => (value === CARD_SCHEMA ? undefined : `is not ${CARD_SCHEMA}.`) },
  name: {
    required: true,
    judge: matching(
      /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/,
      'is not a reverse-DNS name with one slash, such as com.example/weather.',
      text(3, 200),
    ),
  },
  description: { required: true, judge: text(1, 100) },
  version: { required: true, judge: text(0, 255) },
  title: { judge: text(1, 100) },
  websiteUrl: { judge: uri },
  remotes: { judge: list },
  icons: { judge: list },
  repository: { judge: object },
  _meta: { judge: object },
};

const REPOSITORY: Members = {
  url: { required: true, judge: uri },
  source: { required: true, judge: text() },
  id: { judge: text() },
  subfolder: { judge: text() },
};

const ICON: Members = {
  src: { required: true, judge: uri },
  mimeType: { judge: text() },
  sizes: { judge: texts },
  theme: { judge: word('dark', 'light') },
};

const REMOTE: Members = {
  type: { required: true, judge: word('streamable-http', 'sse') },
  url: {
    required: true,
    judge: matching(/^(?:https?:\/\/\S+|\{[a-zA-Z_]\w*\}\S*)$/, 'is not an http or https URL, or a {variable} first.'),
  },
  supportedProtocolVersions: { judge: texts },
  headers: { judge: list },
  variables: { judge: object },
};

const INPUT: Members = {
  description: { judge: text() },
  isRequired: { judge: flag },
  isSecret: { judge: flag },
  format: { judge: word('string', 'number', 'boolean', 'filepath') },
  value: { judge: text() },
  default: { judge: text() },
  placeholder: { judge: text() },
  choices: { judge: texts },
};

const HEADER: Members = { ...INPUT, name: { required: true, judge: text() }, variables: { judge: object } };

function memberFindings(of: JsonObject, before: string, members: Members): readonly CardFinding[] {
  return Object.entries(members).flatMap(([name, { required, judge }]) => {
    const value = own(of, name);
    if (value === undefined) return required ? [error(before + name, 'is missing.')] : [];
    const wrong = judge(value);
    return wrong === undefined ? [] : [error(before + name, wrong)];
  });
}

/** Items of a list that are checked. */
const MOST_ITEMS = 100;

function listFindings(of: JsonObject, name: string, members: Members, before = ''): readonly CardFinding[] {
  const items = own(of, name);
  return (Array.isArray(items) ? items : []).slice(0, MOST_ITEMS).flatMap((item, place) => {
    const at = `${before}${name}[${place}]`;
    return isObject(item) ? memberFindings(item, `${at}.`, members) : [error(at, 'is not an object.')];
  });
}

function remoteFindings(remote: unknown, place: number): readonly CardFinding[] {
  const at = `remotes[${place}]`;
  if (!isObject(remote)) return [error(at, 'is not an object.')];
  const variables = own(remote, 'variables');
  return [
    ...memberFindings(remote, `${at}.`, REMOTE),
    ...listFindings(remote, 'headers', HEADER, `${at}.`),
    ...Object.entries(isObject(variables) ? variables : {}).flatMap(([name, variable]) => {
      const path = `${at}.variables.${name.slice(0, 60)}`;
      return isObject(variable) ? memberFindings(variable, `${path}.`, INPUT) : [error(path, 'is not an object.')];
    }),
  ];
}

function rangeFindings(version: unknown): readonly CardFinding[] {
  const isRange = typeof version === 'string' && /^\s*[\^~<>=]|[*]|(?:^|\.)x(?:\.|$)|\s-\s|\|\|/i.test(version);
  return isRange ? [error('version', 'is a range, expected one version.')] : [];
}

/** Lists that a card leaves to the connection, because they go stale. Earlier drafts had them. */
const RUNTIME = ['tools', 'resources', 'prompts', 'capabilities', 'packages', 'serverInfo', 'protocolVersion'];

function extraFindings(card: JsonObject): readonly CardFinding[] {
  return RUNTIME.filter((name) => own(card, name) !== undefined).map((name) =>
    warning(name, 'is not part of a card, which leaves that to the connection.'),
  );
}
