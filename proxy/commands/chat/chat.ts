import { Chat } from '@/lib/chat/chat';
import type { ChatEvent } from '@/lib/chat/chat-frame';
import { systemClock } from '@/lib/wire/clock';
import { EXIT, type ExitCode, printFailure, usageError } from '@/proxy/cli/exit-code';
import { type CommandContext, lastValue, type RunCommand } from '@/proxy/cli/grammar';
import { hasColours } from '@/proxy/cli/output';
import { readRecord } from '@/proxy/cli/page-options';
import { terminalQuestions } from '../ask-inputs';
import { readClientOptions } from '../client-options';
import { endWith, exitCodeOf } from '../on-server';
import { readAllowance } from './allowance';
import { askingClient } from './answer-server';
import { decideIn } from './ask-call';
import { chatEntries } from './chat-entries';
import { ChatLog } from './chat-log';
import { ChatModels } from './chat-models';
import { ChatOutput } from './chat-output';
import { ChatServers, failureText } from './chat-servers';
import { ChatTerminal } from './chat-terminal';
import { completeFor } from './complete-for';
import { newSettings, readChatSettings } from './model-options';
import { printAnswer } from './print-answer';
import { ChatRecordings, serverRecordings } from './recorded-chat';
import { runSlashCommand } from './slash-commands';
import { TerminalHost } from './terminal-host';

/** Lets a model use servers: in a terminal with a person, or for one question. */
export const run: RunCommand = async (context) => {
  try {
    if (context.request.given.has('replay')) {
      const { replayRecording } = await import('./replay-chat');
      return await replayRecording(context, endWith);
    }
    return await chat(context, endWith);
  } catch (error) {
    return printFailure(error, exitCodeOf);
  }
};

/** As {@link run}. `onSignals` gets what ends the servers, and what Ctrl-C does first. */
export async function chat(context: CommandContext, onSignals: typeof endWith): Promise<ExitCode> {
  const { request, version, home, printNote, status } = context;
  const { given } = request;
  const question = lastValue(given, 'print');
  if (question === undefined && given.has('json'))
    throw usageError('`--json` prints one answer: add `--print "QUESTION"`.');
  if (question === undefined && !(process.stdin.isTTY && process.stdout.isTTY))
    throw usageError('There is no terminal to chat in. Ask one question with `--print "QUESTION"`.');
  const [settings, allow, client] = [
    await readChatSettings(given),
    readAllowance(given),
    await readClientOptions(given),
  ];
  const record = readRecord(given);
  const named = lastValue(given, 'model');
  if (named === undefined)
    throw usageError('No model is named: give `--model PROVIDER:MODEL`. See `mcp-inspect help chat`.');
  const asking = terminalQuestions();
  const models = new ChatModels({
    ...{ version, allowLinkLocal: given.has('allow-link-local'), baseUrl: lastValue(given, 'model-url') },
    ...{ printNote },
  });
  const model = await models.loadAsking(named, asking && ((text) => asking(text, true)));
  const { options, entries } = await chatEntries(request, home, { ask: asking, printNote });

  let host: TerminalHost | undefined;
  let output: ChatOutput | undefined;
  const log = new ChatLog(systemClock, (event: ChatEvent) => output?.show(event));
  const recordings = new ChatRecordings(log, version, models.keys);
  if (record !== undefined) recordings.start(record);
  const terminal =
    question === undefined
      ? new ChatTerminal(
          { input: process.stdin, output: process.stdout, colours: hasColours(process.stdout, process.env) },
          () => (host ? host.interrupt() : process.kill(process.pid, 'SIGINT')),
        )
      : undefined;
  const servers = new ChatServers({
    ...{ options, version, printNote, secrets: recordings.secrets },
    ...(record !== undefined && { record: serverRecordings(record) }),
    client: (name, find) =>
      terminal
        ? askingClient({
            ...{ server: name, terminal, given: client },
            waiting: (isWaiting) => find()?.setWaiting(isWaiting),
            complete: (params, signal) => completeFor(talk, find(), params, signal),
          })
        : client,
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
    ...{ write: log.write, clock: systemClock, model: (id) => models.load(id) },
    servers: () => opened.servers,
    ...(terminal && { decide: decideIn(terminal, () => talk) }),
  });
  let opened: Awaited<ReturnType<ChatServers['open']>> = { servers: [], failed: [] };
  try {
    status.show('Connecting… Ctrl-C cancels');
    opened = await servers.open(entries);
    status.end();
    for (const failed of opened.failed) printNote(failureText(failed));
    if (opened.servers.length === 0) return EXIT.noConnection;
    talk.configure({ ...newSettings(model, opened.servers, settings), allow });
    if (!terminal)
      return await printAnswer(
        { chat: talk, ...opened, question: question!, json: given.has('json'), signal: stop.signal },
        context,
      );
    output = new ChatOutput(terminal);
    host = new TerminalHost({
      ...{ chat: talk, terminal, save: recordings.start, runCommand: runSlashCommand, ...opened },
      load: async (wanted) => {
        const { id, toolMode } = await models.loadAsking(wanted, (text) => terminal.ask(text, { hidden: true }));
        return { model: id, toolMode };
      },
    });
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
