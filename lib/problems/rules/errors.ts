import { ERROR_CODES, isReservedCode } from '@/lib/protocol/error-codes';
import { spans } from '@/lib/protocol/spans';
import { isObject, own } from '@/lib/wire/message';
import { messageRule, type Rule } from '../rule';
import type { Seen } from '../seen';

function codeOf({ kind, body }: Seen): number | undefined {
  const error = kind === 'error' ? own(body, 'error') : undefined;
  const code = isObject(error) ? own(error, 'code') : undefined;
  return typeof code === 'number' ? code : undefined;
}

/** What codes of errors mean. */
export const ERROR_RULES: readonly Rule[] = [
  messageRule(
    {
      id: 'error-code-reserved',
      kinds: ['error'],
      severity: 'warning',
      title: 'An error code that is kept for the protocol',
      topic: 'messages',
      advice: 'Use a code outside −32099…−32020 for errors of your own.',
    },
    (seen, _session, report) => {
      const code = codeOf(seen);
      if (code === undefined || !seen.modern || !isReservedCode(code) || ERROR_CODES.has(code)) return;
      report({
        message: `${code} has no meaning yet.`,
        path: ['error', 'code'],
        ...(seen.ask && { seqs: [seen.ask.seq] }),
      });
    },
  ),
  messageRule(
    {
      id: 'error-code-of-other-version',
      kinds: ['error'],
      severity: 'warning',
      title: 'An error code of another version',
      topic: 'messages',
      advice: 'Use the code that this version has for it: −32602 for a resource that does not exist, since 2026-07-28.',
    },
    (seen, session, report) => {
      const code = codeOf(seen);
      const row = code === undefined ? undefined : ERROR_CODES.get(code);
      // Legacy servers may refuse a modern probe as they like, and modern ones a legacy one.
      if (!row || seen.version === undefined || session.version !== seen.version || spans(row, seen.version)) return;
      const until = row.until === undefined ? `since ${row.since}` : `up to ${row.until}`;
      report({
        message: `${code} means ${row.name} ${until}.`,
        path: ['error', 'code'],
        ...(seen.ask && { seqs: [seen.ask.seq] }),
      });
    },
  ),
];
