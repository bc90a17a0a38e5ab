import type { Allowance, OfferedTool } from '@/features/chat/lib/chat-frame';
import { writtenText } from '@/features/chat/lib/chat-state';
import { isCallAllowed } from '@/features/chat/lib/loop';
import type { ChatServer } from '@/features/chat/lib/model';
import {
  isRecordedServer,
  type ReplayDifference,
  recordedServers,
  renamedServer,
  replayChat,
} from '@/features/chat/lib/replay-chat';
import { offerTools } from '@/features/chat/lib/tool-names';
import { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { systemClock } from '@/lib/wire/clock';
import { countOf } from '@/lib/wire/format';
import { EXIT, type ExitCode, usageError } from '@/proxy/cli/exit-code';
import type { CommandContext } from '@/proxy/cli/grammar';
import type { Line } from '@/proxy/cli/output';
import { readRecord } from '@/proxy/cli/page-options';
import { readClientOptions } from '@/proxy/commands/headless/client-options';
import type { endWith } from '@/proxy/commands/headless/on-server';
import { terminalQuestions } from '@/proxy/commands/shared/ask-inputs';
import { terminalJson } from '@/proxy/commands/shared/format-content';
import { ModelKeys } from '../model/model-keys';
import { readAllowance, requireTools, toolsOfServers } from './allowance';
import { chatEntries } from './chat-entries';
import { TerminalChatLog } from './chat-log';
import { ChatServers } from './chat-servers';
import { missingServerText } from './failed-server';
import { readRecordedChat, replayedFile } from './read-recorded-chat';
import { recordChat, serverRecordings } from './recorded-chat';

/** Options that name servers. */
const SERVERS = ['config', 'server', 'demo'];

/**
 * Runs a recorded chat again, with the recorded answers of its model, and prints what the model would have seen
 * otherwise. Servers that the command line names list their tools, and run the calls that `--allow` names.
 */
export async function replayRecording(context: CommandContext, onSignals: typeof endWith): Promise<ExitCode> {
  const { request, version, home, printNote, printText, printLines, status } = context;
  const { given } = request;
  const [allow, client, record] = [readAllowance(given), await readClientOptions(given), readRecord(given)];
  if (request.words.length > 0 || given.has('resume')) {
    const other = given.has('resume') ? '`--resume`' : 'the question';
    throw usageError(`\`--model recorded:\` has the messages of the recording, too: remove ${other}.`);
  }
  const { state: recorded, leaf } = await readRecordedChat(replayedFile(given)!, '--model recorded:', context);
  const isLive = request.server.length > 0 || SERVERS.some((name) => given.has(name));
  const found = isLive ? await chatEntries(request, home, { ask: terminalQuestions(), printNote }) : undefined;
  const log = new TerminalChatLog(systemClock);
  const secrets = new CaptureRedactor(new ModelKeys(process.env).values());
  const recording = record === undefined ? undefined : recordChat(record, log.began.at, version, secrets);
  if (recording) log.record(recording.tap(() => 0));
  const servers =
    found &&
    new ChatServers({
      options: found.options,
      version,
      printNote,
      secrets,
      client: () => client,
      ...(record !== undefined && { record: serverRecordings(record) }),
    });
  const stop = new AbortController();
  const close = async (): Promise<void> => {
    stop.abort();
    status.end();
    await servers?.close();
    const missing = await recording?.end();
    if (missing !== undefined) printNote(`mcp-inspect: ${missing}`);
  };
  onSignals(close);
  try {
    status.show('Connecting… Ctrl-C cancels');
    const opened = await servers?.open(found!.entries);
    for (const failed of opened?.failed ?? []) printNote(missingServerText(failed));
    if (opened && opened.failed.length > 0) return EXIT.noConnection;
    if (opened) requirePairs(opened.servers, recordedServers(recorded, leaf), printNote);
    const notRun = new Set<string>();
    const live = opened && liveServers(opened.servers, recordedServers(recorded, leaf), allow, notRun);
    const tools = live && (await toolsOfServers(live, undefined));
    if (tools) requireTools(allow, tools, '`--allow`');
    const { chat, differences } = await replayChat(
      recorded,
      { write: log.write, clock: systemClock, ...(live && { servers: live }) },
      stop.signal,
    );
    status.end();
    const answers = [...chat.state.turns.values()].flatMap((turn) => (turn.kind === 'answer' ? [turn] : []));
    if (given.has('json')) {
      const shown = answers.map((turn) => ({ turn: turn.id, text: writtenText(turn), ...turn.end }));
      printText(terminalJson({ answers: shown, differences, notCalled: [...notRun] }));
    } else printLines([...differences.flatMap(differenceLines), summary(answers.length, differences.length)]);
    const before = recorded.pathTo(leaf).flatMap((turn) => (turn.kind === 'answer' ? [turn.end] : []));
    let failed = false;
    for (const [at, { end }] of answers.entries()) {
      if (!end?.failure) continue;
      // A failure that was recorded has not changed.
      const isSame = before[at] !== undefined && before[at].reason !== 'stop';
      failed ||= !isSame;
      const { message, advice } = end.failure;
      printNote(`mcp-inspect: ${isSame ? `As in the recording: ${message}` : `${message} ${advice}`}`);
    }
    if (notRun.size > 0) printNote(notRunText([...notRun]));
    return differences.length > 0 || failed ? EXIT.serverError : EXIT.fine;
  } finally {
    await close();
  }
}

/**
 * Notes servers that are not in the recording. Throws an ExitError if none is, because then nothing would be compared.
 */
function requirePairs(
  live: readonly ChatServer[],
  recorded: readonly ChatServer[],
  printNote: (line: string) => void,
): void {
  const others = live.filter((now) => !recorded.some((before) => isRecordedServer(before, now, recorded, live)));
  if (others.length === 0) return;
  const quoted = (servers: readonly ChatServer[]): string => servers.map(({ name }) => `\`${name}\``).join(', ');
  const has = recorded.length === 0 ? 'it has no servers' : `it has ${quoted(recorded)}`;
  if (others.length === live.length)
    throw usageError(`The recording has no server ${quoted(others)}: ${has}. Give the servers the recorded names.`);
  printNote(`mcp-inspect: Not used, because the recording has no such server: ${quoted(others)}.`);
}

/**
 * Returns the live servers by their recorded names. A recording may come from anybody, so its decisions allow nothing:
 * a tool that `allow` does not name has its recorded result. `notRun` gets its name.
 */
function liveServers(
  live: readonly ChatServer[],
  recorded: readonly ChatServer[],
  allow: Allowance,
  notRun: Set<string>,
): readonly ChatServer[] {
  const paired = recorded.map((before) => {
    const now = live.find((one) => isRecordedServer(before, one, recorded, live));
    return { before, now };
  });
  // Names are made again: those of a recording could give a tool the name of another one that is allowed.
  const offer = async (): Promise<readonly OfferedTool[]> =>
    offerTools(
      await Promise.all(
        paired.map(async ({ before, now = before }) => ({ server: before.name, tools: await now.tools() })),
      ),
    );
  return paired.map(({ before, now }) => {
    if (!now) return before;
    return renamedServer(now, before.name, async (tool, ...asked) => {
      const offered = await offer();
      const called = offered.find((one) => one.server === before.name && one.tool === tool);
      if (called && isCallAllowed(called, allow, offered)) return now.callTool(tool, ...asked);
      notRun.add(tool);
      return before.callTool(tool, ...asked);
    });
  });
}

/** Matches names that need no quotes in a shell, except the words that `--allow` gives another meaning. */
const PLAIN_NAME = /^(?!(?:all|read-only)$)[\w-]+$/;

function notRunText(tools: readonly string[]): string {
  const used = `mcp-inspect: The recorded results of ${tools.map((name) => `\`${name}\``).join(', ')} were used.`;
  const plain = tools.filter((name) => PLAIN_NAME.test(name));
  return plain.length === 0 ? used : `${used} To call them, add \`--allow ${plain.join(',')}\`.`;
}

function differenceLines({ turn, part, name, member, before, after }: ReplayDifference): readonly Line[] {
  const what = [part, name, member].filter((word) => word !== undefined).join(' ');
  return [
    [{ text: `Turn ${turn}: ${what}`, tone: 'strong' }],
    ...(before === undefined ? [] : [[{ text: `  - ${before}`, tone: 'bad' } as const]]),
    ...(after === undefined ? [] : [[{ text: `  + ${after}`, tone: 'good' } as const]]),
  ];
}

function summary(answers: number, differences: number): Line {
  const ran = `${countOf(answers, 'answer')} replayed`;
  return [
    differences === 0
      ? `${ran}: the model would have seen the same.`
      : `${ran}: the model would have seen ${countOf(differences, 'difference')}.`,
  ];
}
