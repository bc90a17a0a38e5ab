import { Chat } from '@/features/chat/lib/chat';
import type { ChatEvent } from '@/features/chat/lib/chat-frame';
import { keptSettings } from '@/features/chat/lib/replay-chat';
import { samplingResult } from '@/features/chat/lib/sampling-result';
import type { JsonObject } from '@/lib/json/value';
import { ErrorResponse } from '@/lib/mcp/answering';
import { systemClock } from '@/lib/wire/clock';
import { RPC_CODE } from '@/lib/wire/protocol-names';
import { untilAborted } from '@/lib/wire/until-aborted';
import { EXIT, type ExitCode, printFailure, usageError } from '@/proxy/cli/exit-code';
import { type CommandContext, lastValue, type RunCommand } from '@/proxy/cli/grammar';
import { hasColours } from '@/proxy/cli/output';
import { readRecord } from '@/proxy/cli/page-options';
import { readClientOptions } from '@/proxy/commands/headless/client-options';
import { endWith, exitCodeOf } from '@/proxy/commands/headless/on-server';
import { terminalQuestions } from '@/proxy/commands/shared/ask-inputs';
import { readAllowance, requireTools, toolsOfServers } from './allowance';
import { askingClient } from './answer-server';
import { decideIn } from './ask-call';
import { chatEntries } from './chat-entries';
import { TerminalChatLog } from './chat-log';
import { LoadedModels } from './chat-models';
import { ChatOutput, retryText } from './chat-output';
import { ChatServers } from './chat-servers';
import { ChatTerminal } from './chat-terminal';
import { CommandServer } from './command-server';
import { completeMessage } from './complete-message';
import { type FailedServer, missingServerText } from './failed-server';
import { newSettings, readChatSettings } from './model-options';
import { printAnswer } from './print-answer';
import { questionNotes } from './question-notes';
import { lastTurns, readResumed, replayedFile } from './read-recorded-chat';
import { ChatRecordings, serverRecordings } from './recorded-chat';
import { runSlashCommand } from './slash-commands';
import { TerminalHost } from './terminal-host';
import { textEditor } from './text-editor';

/** Lets a model use servers: in a terminal with a person, or for one question. */
export const run: RunCommand = async (context) => {
  try {
    if (replayedFile(context.request.given) !== undefined) {
      const { replayRecording } = await import('./replay-chat');
      return await replayRecording(context, endWith);
    }
    return await chatInTerminal(context, endWith);
  } catch (error) {
    return printFailure(error, exitCodeOf);
  }
};

/** As {@link run}. `onSignals` gets what ends the servers, and what Ctrl-C does first. */
export async function chatInTerminal(context: CommandContext, onSignals: typeof endWith): Promise<ExitCode> {
  const { request, version, home, printNote, status } = context;
  const { given } = request;
  const [question] = request.words;
  if (question === undefined && given.has('json'))
    throw usageError('`--json` prints one answer: write the question after `chat`.');
  if (question === undefined && !(process.stdin.isTTY && process.stdout.isTTY))
    throw usageError('A chat needs a terminal. Without one, ask one question: `mcp-inspect chat "QUESTION"`.');
  const [settings, allow, client] = [
    await readChatSettings(given),
    readAllowance(given),
    await readClientOptions(given),
  ];
  const record = readRecord(given);
  const resumed = lastValue(given, 'resume');
  const before = resumed === undefined ? undefined : await readResumed(resumed, context);
  const named = lastValue(given, 'model');
  if (named === undefined) {
    const recorded = before?.state.settings?.model;
    const was = recorded === undefined ? 'See `mcp-inspect help chat`.' : `The recorded chat used \`${recorded}\`.`;
    throw usageError(`No model is named: give \`--model PROVIDER:MODEL\`. ${was}`);
  }
  const asking = terminalQuestions();
  const models = new LoadedModels({
    version,
    allowLinkLocal: given.has('allow-link-local'),
    baseUrl: lastValue(given, 'model-option.url'),
    printNote,
  });
  const model = await models.loadAsking(named, asking && ((text) => asking(text, true)));
  const { options, entries } = await chatEntries(request, home, { ask: asking, printNote });

  let host: TerminalHost | undefined;
  let output: ChatOutput | undefined;
  const show = (event: ChatEvent): void => {
    output?.show(event);
    if (!terminal && event.type === 'retry') printNote(`mcp-inspect: ${retryText(event)}`);
  };
  const log = new TerminalChatLog(systemClock, show, before?.events);
  const recordings = new ChatRecordings(log, version, models.keys);
  if (record !== undefined) recordings.start(record);
  const terminal =
    question === undefined
      ? new ChatTerminal(
          {
            input: process.stdin,
            output: process.stdout,
            edit: textEditor(process.env, printNote),
            colours: hasColours(process.stdout, process.env),
          },
          () => (host ? host.interrupt() : process.kill(process.pid, 'SIGINT')),
        )
      : undefined;
  const servers = new ChatServers({
    options,
    version,
    printNote,
    secrets: recordings.secrets,
    ...(record !== undefined && { record: serverRecordings(record) }),
    client: (name, find) =>
      terminal
        ? askingClient({
            server: name,
            terminal,
            given: client,
            waiting: (isWaiting) => find()?.setWaiting(isWaiting),
            complete: (params, signal) => completeFor(talk, find(), params, signal),
          })
        : client,
    ...(!terminal && { onMessage: questionNotes(client, printNote) }),
    onLost: ({ name, failure }) =>
      terminal?.print([{ text: `${name}: ${failure.message} /restart ${name} starts it again.`, tone: 'warn' }]),
  });
  const close = async (): Promise<void> => {
    status.end();
    terminal?.close();
    await servers.close();
    for (const sentence of await recordings.end()) printNote(`mcp-inspect: ${sentence}`);
  };
  const stop = new AbortController();
  onSignals(close, () => {
    if (host) host.interrupt();
    // The answer that is cancelled is still printed. Before there is one, nothing is.
    else if (terminal || opened.servers.length === 0 || stop.signal.aborted) return false;
    else stop.abort();
    return true;
  });
  const talk: Chat = new Chat({
    write: log.write,
    clock: systemClock,
    model: (id) => models.load(id),
    servers: () => opened.servers,
    ...(terminal && {
      decide: decideIn(
        terminal,
        () => talk,
        () => host?.quit(),
      ),
    }),
    ...(before && { state: before.state }),
  });
  let opened: Opened = { servers: [], failed: [] };
  try {
    status.show('Connecting… Ctrl-C cancels');
    opened = await servers.open(entries);
    status.end();
    for (const failed of opened.failed) printNote(missingServerText(failed));
    if (opened.servers.length === 0) return EXIT.noConnection;
    talk.configure({
      ...(before?.state.settings && keptSettings(before.state.settings)),
      ...newSettings(model, opened.servers, settings),
      allow,
    });
    // A server that did not start may have the tool.
    if (allow.written && opened.failed.length === 0) {
      status.show('Listing tools… Ctrl-C cancels');
      const naming = talk.state.settings?.naming;
      const tools = await untilAborted(toolsOfServers(opened.servers, naming), stop.signal).catch(() => undefined);
      status.end();
      if (tools) requireTools(allow, tools, '`--allow`');
    }
    if (!terminal)
      return await printAnswer(
        {
          chat: talk,
          ...opened,
          question: question!,
          json: given.has('json'),
          signal: stop.signal,
          after: before?.leaf,
        },
        context,
      );
    output = new ChatOutput(terminal);
    const askKey = (text: string) => terminal.ask(text, { hidden: true });
    host = new TerminalHost({
      chat: talk,
      terminal,
      save: recordings.start,
      runCommand: runSlashCommand,
      leaf: before?.leaf,
      complete: completeMessage,
      servers: () => opened.servers,
      failed: () => opened.failed,
      load: async (wanted) => {
        const { id, toolMode } = await models.loadAsking(wanted, askKey);
        return { model: id, toolMode };
      },
      changeKey: (wanted) => models.changeKey(wanted, askKey),
      async restart(name) {
        const again = await servers.restart(entries.find((entry) => entry.name === name)!);
        opened = replaced(opened, name, again);
      },
    });
    if (before) terminal.print(...lastTurns(before.state, before.leaf));
    terminal.print([
      { text: model.id, tone: 'strong' },
      ` with ${opened.servers.map((server) => server.name).join(', ')}. `,
      { text: '/help lists the commands.', tone: 'muted' },
    ]);
    await host.run();
    return EXIT.fine;
  } finally {
    await close();
  }
}

type Opened = Awaited<ReturnType<ChatServers['open']>>;

/** Returns the servers with another one of this name, in the same place if there was one. */
function replaced({ servers, failed }: Opened, name: string, again: CommandServer | FailedServer): Opened {
  const others = failed.filter((one) => one.name !== name);
  if (!(again instanceof CommandServer))
    return { servers: servers.filter((one) => one.name !== name), failed: [...others, again] };
  const isKnown = servers.some((one) => one.name === name);
  return {
    servers: isKnown ? servers.map((one) => (one.name === name ? again : one)) : [...servers, again],
    failed: others,
  };
}

/** Lets the model of a chat answer a server’s sampling request. Rejects with an ErrorResponse for the server. */
async function completeFor(
  talk: Chat,
  server: CommandServer | undefined,
  params: JsonObject,
  signal: AbortSignal,
): Promise<JsonObject> {
  if (!server) throw new ErrorResponse(RPC_CODE.internalError, 'The connection is not open yet');
  const { connection, name, version } = server;
  const answer = await talk.complete({ server: name, connection, params }, signal);
  if (!answer) throw new ErrorResponse(RPC_CODE.internalError, 'The model did not answer');
  return samplingResult(answer, version);
}
