import { formatPath } from '@/lib/json/outline-path';
import type { JsonSource } from '@/lib/json/source';
import { isObject, own } from '@/lib/json/value';
import { SchemaChecker } from '@/lib/schema/check';
import { explainBrokenAnswer, explainIdMismatch } from '@/lib/store/exchanges/answer-faults';
import { isUnended, NO_NEWLINE } from '@/lib/store/exchanges/exchange-timeline';
import type { Exchange } from '@/lib/store/exchanges/exchanges';
import { STATUS_LABELS } from '@/lib/store/rows/row-text';
import { serverToolFrames, serverTools } from '@/lib/store/server-tools';
import { countOf, formatDuration } from '@/lib/wire/format';
import { LIMITS } from '@/lib/wire/limits';
import { runWithin } from '@/proxy/commands/shared/time-limit';
import { rowLine } from './describe';
import { newestExitText } from './evidence/connection';
import { interceptedExchanges, interceptionText } from './evidence/interceptions';
import { callsLike } from './evidence/requests';
import type { OpenedSource } from './tools/tool';

/** Characters of server text, by what it is. */
const SHOWN = { message: 700, line: 240, args: 200, fault: 200 } as const;
/** Frames that belong to a request, and faults of its arguments, that are listed. */
const MOST_MEMBERS = 6;
const MOST_FAULTS = 5;
/** Calls of the same tool that are named. */
const MOST_OTHERS = 5;

const NO_BRANCHES = new Map<string, string>();

/** Explains a request of either side: how it ended, what was sent, and what surrounds it, the cause first. */
export async function explainExchange(exchange: Exchange, opened: OpenedSource): Promise<readonly string[]> {
  const { recording, quote, isLate } = opened;
  const { log } = recording;
  const { requestSeq, method, name, status, durationUs, responseSeq, id } = exchange;
  const request = await recording.message(requestSeq, isLate, id);
  const response = responseSeq === undefined ? undefined : await recording.message(responseSeq, isLate, id);
  const params = request?.member('params');
  const what = quote([method, name].filter(Boolean).join(' '), SHOWN.args);
  const took = durationUs === undefined ? '' : ` after ${formatDuration(durationUs)}`;
  const lines = [`${what}: ${STATUS_LABELS[status]}${took}.`];
  lines.push(
    `→ #${requestSeq} request at ${seconds(log.columns.time(requestSeq - 1))}, params: ${shown(params, quote)}`,
  );
  if (responseSeq !== undefined) {
    const answer = response?.member('error') ?? response?.member('result');
    const kind = response?.member('error') ? 'error' : 'result';
    lines.push(`← #${responseSeq} ${kind} at ${seconds(log.columns.time(responseSeq - 1))}: ${shown(answer, quote)}`);
  }
  const taken = interceptedExchanges(log).get(requestSeq);
  if (taken) {
    const { event, seq, original } = taken.by;
    const rule = event.rule === undefined ? '' : `, by the rule ${quote(event.rule, SHOWN.args)}`;
    const sent = original === undefined ? '' : ` #${original} is the message as its sender sent it.`;
    lines.push(`${interceptionText(taken)}${rule} (#${seq}).${sent}`);
  }
  lines.push(...(await unanswered(exchange, opened)), ...argumentFaults(exchange, params, opened));
  lines.push(...cursorOrigin(exchange, params, opened), ...otherCalls(exchange, opened));
  const members = log.relations.membersOf(requestSeq, 1000).filter((seq) => seq !== responseSeq);
  if (members.length > 0) {
    lines.push(
      `${countOf(members.length, 'further frame')} of this request${members.length > MOST_MEMBERS ? ', the last:' : ':'}`,
    );
    lines.push(...members.slice(-MOST_MEMBERS).map((seq) => `  ${rowLine(opened, seq)}`));
  }
  return lines;
}

function shown(source: JsonSource | undefined, quote: OpenedSource['quote']): string {
  return source === undefined ? 'nothing' : quote(source.text, SHOWN.message);
}

function seconds(us: number): string {
  return `${(us / 1e6).toFixed(3)} s`;
}

/** Says why there is no response, and which frame may be meant as one. */
async function unanswered(exchange: Exchange, { recording, quote, isLate }: OpenedSource): Promise<readonly string[]> {
  const { status, responseSeq, unmatchedSeq, requestSeq, id } = exchange;
  const { log } = recording;
  const lines: string[] = [];
  const cancelled = log.relations
    .membersOf(requestSeq, 100)
    .find((seq) => log.columns.method(seq - 1) === 'notifications/cancelled');
  if (status === 'lost')
    lines.push(`No response: ${newestExitText(log) ?? 'the connection or the HTTP response ended'} first.`);
  if (status === 'timeout')
    lines.push(`The client stopped waiting${responseSeq === undefined ? '.' : ', and the response came after that.'}`);
  if (cancelled !== undefined) lines.push(`It was cancelled by #${cancelled}.`);
  if (status === 'pending' && unmatchedSeq === undefined) lines.push('There is no response in the recording.');
  if (unmatchedSeq !== undefined) {
    const text = (await recording.text(unmatchedSeq, isLate)) ?? '';
    const row = log.row(unmatchedSeq - 1);
    const why =
      row.kind === 'response' || row.kind === 'error'
        ? explainIdMismatch(row.id, id)
        : isUnended(row)
          ? NO_NEWLINE
          : explainBrokenAnswer(text, row.printed?.lines.length ?? 1, id);
    lines.push(`#${unmatchedSeq} looks like its response, but: ${quote(why ?? 'it can’t be paired', SHOWN.line)}`);
    lines.push(`← #${unmatchedSeq}: ${quote(text, SHOWN.message)}`);
  }
  if (responseSeq === undefined) {
    const after = nextFromServer(recording.log, requestSeq);
    lines.push(
      after === undefined
        ? 'The server sent nothing after this request.'
        : `The next message from the server is #${after}.`,
    );
  }
  return lines;
}

function nextFromServer({ columns, size }: OpenedSource['recording']['log'], after: number): number | undefined {
  for (let index = after; index < size; index++) {
    if (columns.channel(index) === 'protocol' && columns.direction(index) === 'to-client') return index + 1;
  }
  return undefined;
}

/** Checks the arguments of a call against the schema that the server listed. */
function argumentFaults(
  { method, name, direction }: Exchange,
  params: JsonSource | undefined,
  { recording: { log }, quote }: OpenedSource,
): readonly string[] {
  if (method !== 'tools/call' || direction !== 'to-server') return [];
  const { tools, connection } = log.state;
  if (tools.status === 'none') return [];
  const overlay = connection.overlay ? [OVERLAY] : [];
  // The request is the one that the server got, so its own list counts.
  const raw = connection.overlay
    ? serverTools(log, serverToolFrames(log)).find((one) => one.name === name)?.source.value
    : tools.items.find((one) => one.name === name)?.raw;
  if (!isObject(raw)) return [...overlay, 'The server lists no tool of this name.'];
  const schema = own(raw, 'inputSchema');
  if (!isObject(schema)) return overlay;
  let lines: readonly string[] = ['Checking the arguments against inputSchema takes too long.'];
  runWithin(LIMITS.schemaWorkMs, () => {
    const { findings, unchecked } = new SchemaChecker(JSON.stringify(schema)).check(
      params?.member('arguments')?.text ?? '{}',
      NO_BRANCHES,
    );
    lines =
      unchecked !== undefined
        ? [`The arguments can’t be checked against inputSchema: ${quote(unchecked, SHOWN.fault)}`]
        : findings.length === 0
          ? ['The arguments fit the tool’s inputSchema.']
          : findings
              .slice(0, MOST_FAULTS)
              .map(
                ({ path, text }) =>
                  `The arguments break inputSchema: ${quote(`${formatPath(path)} ${text}`, SHOWN.fault)}`,
              );
  });
  return [...overlay, ...lines];
}

const OVERLAY =
  'An overlay of mcp-inspect is in force: the client sees other definitions of the tools, perhaps under other names.';

/** Says where the cursor of a request for a page came from. */
function cursorOrigin(
  { method, requestSeq }: Exchange,
  params: JsonSource | undefined,
  { recording: { log } }: OpenedSource,
): readonly string[] {
  const cursor = params?.member('cursor')?.value;
  if (cursor === undefined) return [];
  for (let index = requestSeq - 2; index >= 0; index--) {
    if (log.columns.kind(index) !== 'response' || log.columns.method(log.columns.methodRow(index)) !== method) continue;
    if (log.json(index)?.member('result')?.member('nextCursor')?.value === cursor)
      return [`Its cursor is the nextCursor of #${index + 1}, so the server does not accept its own cursor.`];
  }
  return ['No earlier page of the recording has this cursor as its nextCursor.'];
}

/** Compares with the other calls of the same tool, which shows whether the arguments matter. */
function otherCalls({ requestSeq, method, name, status }: Exchange, opened: OpenedSource): readonly string[] {
  if (name === undefined) return [];
  const { ok, failed } = callsLike(opened.recording, requestSeq);
  if (ok.length + failed.length === 0) return [`It is the only ${method} of this name.`];
  const { log } = opened.recording;
  const numbers = (seqs: readonly number[]): string =>
    seqs.length === 0
      ? '0'
      : `${seqs.length} (${seqs
          .slice(-MOST_OTHERS)
          .map((seq) => `#${seq}`)
          .join(' ')})`;
  const lines = [`Other calls of this name: ${numbers(ok)} ok, ${numbers(failed)} failed.`];
  const good = status === 'ok' ? undefined : ok.at(-1);
  const args =
    good === undefined
      ? undefined
      : log
          .json(good - 1)
          ?.member('params')
          ?.member('arguments');
  if (args) lines.push(`#${good} was ok with ${opened.quote(args.text, SHOWN.args)}`);
  return lines;
}
