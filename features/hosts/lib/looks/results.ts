import { isObject, own } from '@/lib/json/value';
import { quote } from '@/lib/problems/rule';
import { formatCount, formatDuration } from '@/lib/wire/format';
import { brokenAt, type Look } from '../fact';
import type { HostSession, SeenCall, SeenTool } from '../host-session';
import type { ResultFacts } from '../result-facts';

/** Most characters that a tool can allow itself. */
const MOST_ALLOWED = 500_000;
/** Places of each kind that are named. */
const MOST_PLACES = 20;

/** Looks at the answers of calls. `words` follow the tool's name. */
function inCalls(wordsFor: (call: SeenCall, tool: SeenTool | undefined) => string | undefined): Look {
  return ({ calls, tools = [] }: HostSession) => {
    if (calls.length === 0) return { notSeen: 'calls' };
    const byName = new Map(tools.map((tool) => [tool.name, tool]));
    return brokenAt(
      calls
        .flatMap((call) => {
          const words = wordsFor(call, byName.get(call.tool));
          return words === undefined ? [] : [{ seq: call.seq, words: `${quote(call.tool)} ${words}`, tool: call.tool }];
        })
        .slice(0, MOST_PLACES),
    );
  };
}

/** Looks at the results of calls. */
function inResults(wordsFor: (result: ResultFacts, tool: SeenTool | undefined) => string | undefined): Look {
  return inCalls(({ result }, tool) => result && wordsFor(result, tool));
}

/** Looks for results with more text than a host passes on, in characters. A tool can allow itself more. */
export function textWithin(most: number, allowedBy?: string): Look {
  return inResults(({ textChars }, tool) => {
    const meta = tool && own(tool.raw, '_meta');
    const allowed = allowedBy !== undefined && isObject(meta) ? own(meta, allowedBy) : undefined;
    const limit = typeof allowed === 'number' ? Math.max(most, Math.min(allowed, MOST_ALLOWED)) : most;
    return textChars > limit ? `returned ${formatCount(textChars)} characters of text.` : undefined;
  });
}

/** Looks for a text block that is longer than a host passes on, in characters. */
export function blockWithin(most: number): Look {
  return inResults(({ longestText }) =>
    longestText > most ? `returned a text block of ${formatCount(longestText)} characters.` : undefined,
  );
}

/** Looks for calls that took longer than a host waits. */
export function callsWithin(seconds: number): Look {
  return inCalls(({ durationUs, isHeard }) =>
    !isHeard && durationUs !== undefined && durationUs > seconds * 1_000_000
      ? `took ${formatDuration(durationUs)}.`
      : undefined,
  );
}

/** Looks for pictures of other types. */
export function pictures(...types: readonly string[]): Look {
  return inResults((result) => {
    const other = result.pictures.find((type) => !types.includes(type));
    return other === undefined ? undefined : `returned a picture of type ${quote(other)}.`;
  });
}

/** Looks for results without the structured content that the tool declares. */
export const declaredOutput: Look = inResults(({ hasStructured, isError }, tool) =>
  tool && own(tool.raw, 'outputSchema') !== undefined && !hasStructured && !isError
    ? 'declares an outputSchema, and returned no structuredContent.'
    : undefined,
);

/** Looks for text beside structured content that says something else. */
export const onlyStructured: Look = inResults(({ saysMore }) =>
  saysMore ? 'returned text that is not in its structuredContent.' : undefined,
);

/** Looks for structured content without any block. */
export const noBlocks: Look = inResults(({ hasStructured, blocks }) =>
  hasStructured && blocks === 0 ? 'returned structuredContent, and no content.' : undefined,
);

/** Looks for results in which nothing is for the model. */
export const nothingForModel: Look = inResults(({ isHidden, hasStructured }) =>
  isHidden && !hasStructured ? 'returned only blocks whose audience is not the assistant.' : undefined,
);

/** Looks for results whose only texts are in embedded resources. */
export const onlyEmbedded: Look = inResults(({ embedsText, types }) =>
  embedsText && !types.has('text') ? 'returned an embedded resource, and no text block.' : undefined,
);

/** Looks for progress after the answer, or for a token that nobody gave. */
export const openProgress: Look = ({ strayProgress }) =>
  brokenAt(
    strayProgress
      .slice(0, MOST_PLACES)
      .map((seq) => ({ seq, words: 'Progress came for a token without an open request.' })),
  );

/** The same for processes alone. */
export const openProgressOnStdio: Look = (session) => (session.process ? openProgress(session) : 'holds');

/** Looks for calls over HTTP that took longer than a host waits without a message. */
export function remoteCallsWithin(seconds: number): Look {
  const look = callsWithin(seconds);
  return (session) => (session.process ? 'holds' : look(session));
}
