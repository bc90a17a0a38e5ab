import { own } from '@/lib/json/value';
import type { ClientHandlers } from '@/lib/mcp/answering';
import type { HttpSink } from '@/lib/transports/transport';
import { systemClock } from '@/lib/wire/clock';
import type { Target } from '@/lib/wire/command';
import type { ProtocolChoice } from '@/lib/wire/lifecycle';
import type { ExitCode } from '@/proxy/cli/exit-code';
import { prepareAction } from '@/proxy/commands/test-command-line';
import { launchSecrets, resolveLaunch } from '@/proxy/connection/launch';
import { createTransport } from '@/proxy/connection/transports';
import { Reaper } from '@/proxy/process/reaper';
import { frameTap } from './frame-tap';
import type { CommandAction } from './on-server';
import { startRecording } from './record-traffic';
import { type ServerAnswer, type ServerClient, ServerConnection } from './server-connection';
import { type KeptOutput, keptOutput } from './test-connection';

/** The recorded client’s answers and capabilities. */
const CLIENT: ServerClient = {
  info: undefined,
  capabilities: { elicitation: { form: {}, url: {} }, roots: {}, sampling: {} },
  handlers: new Map([
    ['elicitation/create', () => '{"action":"accept","content":{}}'],
    [
      'sampling/createMessage',
      () => '{"role":"assistant","content":{"type":"text","text":"said"},"model":"none","stopReason":"endTurn"}',
    ],
    ['roots/list', () => '{"roots":[]}'],
  ]) satisfies ClientHandlers,
};

/** Records traffic with a server into a new file. `run` is what the client does. */
export async function capture(
  target: Target,
  file: string,
  run: (ask: ServerConnection['request'], session: ServerConnection) => Promise<void>,
  protocol: ProtocolChoice = '2025-11-25',
): Promise<void> {
  const launch = resolveLaunch(target, protocol, []);
  const recording = startRecording(file, launch, new Date().toISOString(), '0.0.0-test');
  const connection = sessionWith(target, protocol, { client: CLIENT }, (next) => recording.tap(next));
  try {
    await connection.open();
    await run(connection.request.bind(connection), connection);
  } finally {
    await connection.close();
    await recording.end();
  }
}

/** Result of running a subcommand. */
type Ran = KeptOutput & { readonly code: ExitCode };

/** Runs `test` against a server. Rejects as the subcommand does. */
export function testAgainst(target: Target, ...argv: string[]): Promise<Ran> {
  return testChanged(target, (text) => text, ...argv);
}

/** Runs `test` against a server. `changed` changes each of its messages first. */
export function testChanged(target: Target, changed: (text: string) => string, ...argv: string[]): Promise<Ran> {
  return runAs(target, changed, undefined, ...argv);
}

/** Runs `test` against a server, with Ctrl-C once the status line begins with `at`. */
export function testInterrupted(target: Target, at: string, ...argv: string[]): Promise<Ran> {
  return runAs(target, (text) => text, at, ...argv);
}

async function runAs(
  target: Target,
  changed: (text: string) => string,
  interruptAt: string | undefined,
  ...argv: string[]
): Promise<Ran> {
  const kept = keptOutput(argv.includes('--json'));
  const action = await prepareAction('test', ...argv, '--demo');
  const show = (text: string): void => {
    kept.status.show(text);
    if (interruptAt !== undefined && text.startsWith(interruptAt)) action.connect!.interrupt!();
  };
  const out = { ...kept, status: { ...kept.status, show } };
  const connection = sessionWith(target, action.connect?.protocol ?? 'auto', action.connect ?? {}, undefined, changed);
  try {
    const negotiated = await connection.open();
    return {
      ...out,
      code: await action({
        connection,
        negotiated,
        out,
        stray: { takeLines: () => undefined },
        explain: async (error) => error,
      }),
    };
  } finally {
    await connection.close();
  }
}

/** Returns a member of a structured result. Throws for an error. */
export function structured(answer: ServerAnswer, key: string): unknown {
  if (answer.kind === 'error') throw new Error(answer.error.message);
  return own((answer.result as { structuredContent: Record<string, unknown> }).structuredContent, key);
}

/** Returns a connection to a server, not opened yet, as subcommands have it. */
export function sessionWith(
  target: Target,
  protocol: ProtocolChoice,
  { client, onFrame, redactor }: NonNullable<CommandAction['connect']>,
  tap = (next: () => number) => next as Parameters<typeof frameTap>[0],
  changed = (text: string) => text,
): ServerConnection {
  const [clock, reaper, version] = [systemClock, new Reaper(), '0.0.0-test'];
  let seq = 0;
  const launch = resolveLaunch(target, protocol, []);
  redactor?.addGivenSecrets(launchSecrets(launch));
  return new ServerConnection(launch, {
    clock,
    version,
    ...(client && { client }),
    append: frameTap(
      tap(() => ++seq),
      onFrame,
    ),
    openTransport: (launched, sink) =>
      createTransport(launched, { sink: changing(sink, changed), clock, reaper, version, allowLinkLocal: false }),
    lookFurther: async () => {},
  });
}

/** Changes the texts that come from the server. */
function changing(sink: HttpSink, changed: (text: string) => string): HttpSink {
  return {
    ...sink,
    appendFrame: (channel, direction, bytes, start, end, flags) => {
      if (channel !== 'protocol' || direction !== 'to-client')
        return sink.appendFrame(channel, direction, bytes, start, end, flags);
      const text = Buffer.from(changed(Buffer.from(bytes.subarray(start, end)).toString()));
      return sink.appendFrame(channel, direction, text, 0, text.length, flags);
    },
    onMessage: (text) => sink.onMessage(changed(text)),
  };
}
