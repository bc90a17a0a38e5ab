import { readTime } from '@/lib/wire/read-time';
import { QUERY_CHARS } from './bucket-api';
import type { ListedRecording } from './listed-recording';

/** The recordings that somebody looks for. All that is given has to match. Texts match a part, whatever the case. */
export interface WantedRecordings {
  /** Each is in a name, a tool, a tag, or the start of the commit, the id or the digest. */
  readonly words: readonly string[];
  readonly server?: string;
  /** A tool that was called. */
  readonly tool?: string;
  readonly host?: string;
  readonly author?: string;
  /** Start of the hash. */
  readonly commit?: string;
  /** Each is a tag of the recording. */
  readonly tags: readonly string[];
  /** True: with failed requests; with `tool`, failed calls of that tool. False: without. */
  readonly failed?: boolean;
  /** ISO 8601: started then or later, and before. */
  readonly since?: string;
  readonly until?: string;
}

/** A query that could not be understood, and why. */
export interface WrongQuery {
  readonly wrong: string;
}

/** Keys of a query, in the order in which people need them. */
const QUERY_KEYS = ['server', 'tool', 'host', 'tag', 'author', 'commit', 'since', 'until', 'is'] as const;

/**
 * Reads a query such as `server:files tool:"read file" is:failed since:7d nightly`. `now` in milliseconds, for times
 * such as `7d`.
 */
export function readQuery(text: string, now: number): WantedRecordings | WrongQuery {
  const [words, tags]: [string[], string[]] = [[], []];
  const found: { -readonly [Key in 'server' | 'tool' | 'host' | 'author' | 'commit' | 'since' | 'until']?: string } =
    {};
  let failed: boolean | undefined;
  for (const [, name = '', quoted, plain] of text.slice(0, QUERY_CHARS).matchAll(WORD)) {
    const key = name.slice(0, -1).toLowerCase();
    const value = quoted ?? plain ?? '';
    if (isUnknownKey(key, quoted ?? plain))
      return { wrong: `\`${key}:\` is unknown. Write ${KEYS_TEXT}, or the text in quotes.` };
    if (!isQueryKey(key)) words.push(`${name}${value}`);
    else if (value === '') return { wrong: `Write a value after \`${key}:\`.` };
    else if (key === 'tag') tags.push(value);
    else if (key === 'is') {
      if (value !== 'failed' && value !== 'ok')
        return { wrong: `\`is:${value}\` is unknown. Write is:failed or is:ok.` };
      failed = value === 'failed';
    } else if (key === 'since' || key === 'until') {
      const time = readTime(value, now);
      if (time === undefined) return { wrong: `\`${value}\` is not a time. Write 2026-11-26, 7d or 12h.` };
      found[key] = time;
    } else found[key] = value;
  }
  return { words, tags, ...found, ...(failed !== undefined && { failed }) };
}

/** A key with its value, which may be quoted, or a word. */
const WORD = /([a-z]+:)?(?:"([^"]*)"|(\S+)|(?<=:))/gi;

function isQueryKey(key: string): key is (typeof QUERY_KEYS)[number] {
  return (QUERY_KEYS as readonly string[]).includes(key);
}

const KEYS_TEXT = QUERY_KEYS.map((key) => `${key}:`).join(' ');

/** Returns true for a key that would be taken for a word. The scheme of an address is a word. */
function isUnknownKey(key: string, value: string | undefined): boolean {
  return key !== '' && !isQueryKey(key) && value?.startsWith('//') !== true;
}

/** Returns the recordings that match, in their order. */
export function findRecordings(
  recordings: readonly ListedRecording[],
  wanted: WantedRecordings,
): readonly ListedRecording[] {
  const tests = testsOf(wanted);
  return tests.length === 0 ? recordings : recordings.filter((one) => tests.every((test) => test(one)));
}

type Test = (recording: ListedRecording) => boolean;

function testsOf({ words, server, tool, host, author, commit, tags, failed, since, until }: WantedRecordings): Test[] {
  const tests: Test[] = [];
  // The cheap ones first.
  if (since !== undefined) tests.push(({ at }) => at >= since);
  if (until !== undefined) tests.push(({ at }) => at < until);
  if (failed !== undefined && tool === undefined) tests.push(({ errors }) => errors > 0 === failed);
  if (server !== undefined) tests.push((one) => has(one.server, server) || has(one.info, server));
  if (host !== undefined) tests.push((one) => has(one.host, host));
  if (author !== undefined) tests.push((one) => has(one.author, author));
  if (commit !== undefined) tests.push((one) => one.commit?.startsWith(commit.toLowerCase()) === true);
  for (const tag of tags) tests.push((one) => one.tags.some((each) => each.toLowerCase() === tag.toLowerCase()));
  if (tool !== undefined) {
    tests.push(({ tools, failed: failing = [] }) =>
      (failed ? failing : tools).some((name) => has(name, tool) && (failed !== false || !failing.includes(name))),
    );
  }
  for (const word of words) tests.push((one) => hasWord(one, word));
  return tests;
}

function has(text: string | undefined, part: string): boolean {
  return text?.toLowerCase().includes(part.toLowerCase()) === true;
}

function hasWord(
  { key, id, server, info, version, host, author, commit, ci, tools, tags }: ListedRecording,
  word: string,
) {
  const starts = word.toLowerCase();
  return (
    [server, info, version, host, author, ci].some((text) => has(text, word)) ||
    tags.some((tag) => has(tag, word)) ||
    tools.some((name) => has(name, word)) ||
    commit?.startsWith(starts) === true ||
    id.startsWith(word) ||
    key.slice(key.lastIndexOf('/') + 1).startsWith(starts)
  );
}
