import * as z from 'zod';
import { asksForHidden, asksForText, compileFilter } from '@/lib/filter/compile';
import type { Filter, RegexSource } from '@/lib/filter/language/ast';
import { parseFilter } from '@/lib/filter/parse';
import { VisibleRows } from '@/lib/store/rows/visible-rows';
import { countOf, formatCount } from '@/lib/wire/format';
import { boundedRegexTest } from '@/proxy/commands/shared/bounded-regex';
import { AgentAnswer, UNTRUSTED } from '../answer';
import { rowLine, sessionLine } from '../describe';
import { ToolError } from '../tool-error';
import { CURSOR, defineTool, MAX_TOKENS, type OpenedSource, openSource, RECORDING, readCursor } from './tool';

/** Frames on which a regular expression may take too long, before the search ends. */
const MOST_SLOW = 3;

export const queryFrames = defineTool({
  name: 'query_frames',
  title: 'Query frames',
  description: `Lists the frames of a recorded session that match a filter, oldest first, a line each: number, time, direction (→ to the server, ← to the client), method or result, outcome, start of the content.
Filter: words and "quoted text" search the frames; key:value tests a property; terms are joined by and, "or" and parentheses help, - before a term negates it. Keys: tool:NAME method:tools/* kind:request|result|error|notification|junk|stderr|lifecycle|http dir:to-server|to-client status:error|isError|timed-out|no-response|in-flight|cancelled is:failed has:problem problem:RULE duration:>500ms size:>100kb time:1s..3s seq:10..20 call:12 (all that belongs to request #12) uri:… prompt:… id:… level:>=warning. /regex/i searches text. Example: tool:search (status:error or duration:>2s)`,
  input: z.object({
    filter: z.string().max(2000).describe('Empty: all frames except HTTP details and notes.'),
    recording: RECORDING,
    cursor: CURSOR,
    limit: z.int().min(1).max(500).default(50).describe('Most frames.'),
    max_tokens: MAX_TOKENS,
  }),
  async run({ filter: text, recording: name, cursor, limit, max_tokens }, context) {
    const parsed = parseFilter(text);
    if (!parsed.ok) {
      const { message, at } = parsed.fault;
      throw new ToolError(`The filter has an error at character ${at + 1}: ${message}`);
    }
    const from = readCursor(cursor);
    const opened = await openSource(context, name);
    const { rows, notes } = await matching(opened, parsed.filter);
    const answer = new AgentAnswer(max_tokens);
    answer.add(sessionLine(opened));
    answer.addAll([...opened.notes, ...notes, `${countOf(rows.count, 'frame')} match.`]);
    if (rows.count > 0) answer.add(UNTRUSTED);
    let at = 0;
    while (at < rows.count && rows.at(at) < from) at++;
    const most = Math.min(rows.count, at + limit);
    for (; at < most && answer.add(rowLine(opened, rows.at(at) + 1)); at++);
    const left = rows.count - at;
    // Frames keep their numbers, so the cursor holds while the recording grows.
    const next = left > 0 ? `\n${formatCount(left)} more: cursor "${rows.at(at)}".` : '';
    return { text: answer.text() + next };
  },
});

/** Tests all frames. The text of frames that are no longer in memory is read again, as far as time allows. */
async function matching({ recording, isLate }: OpenedSource, filter: Filter | undefined) {
  const { log, problems } = recording;
  const slow = new Set<number>();
  const expressions = { testFor: (source: RegexSource) => stoppedTest(boundedRegexTest(source, log, slow), slow) };
  const test = filter && compileFilter(filter, { log, problems }, expressions);
  const hides = (index: number) => log.isNote(index) || log.isHttpDetail(index);
  const rows = new VisibleRows(log, test, asksForHidden(filter) ? undefined : hides);
  rows.update(isLate);
  const notes: string[] = [];
  const { evictedUpTo } = log;
  if (asksForText(filter) && evictedUpTo > 0) {
    let searched = 0;
    const isGone = (index: number) => index < evictedUpTo && !log.hasBytes(index + 1);
    for await (const seqs of recording.restored(isGone, isLate)) {
      for (const seq of seqs) rows.recheck(seq - 1);
      searched = seqs.at(-1)!;
    }
    if (isLate()) notes.push(`Time ran out: the text of #${searched + 1} to #${evictedUpTo} was not searched.`);
  } else if (rows.remaining > 0) notes.push('Time ran out: not all frames were tested.');
  if (slow.size >= MOST_SLOW) notes.push('The regular expression takes too long, so the search was stopped.');
  return { rows, notes };
}

function stoppedTest(
  test: (index: number) => boolean | undefined,
  slow: ReadonlySet<number>,
): (index: number) => boolean | undefined {
  return (index) => (slow.size >= MOST_SLOW ? undefined : test(index));
}
