import type { ClientHandlers } from '@/lib/mcp/client-handler';
import type { HttpSink } from '@/lib/transports/transport';
import { systemClock } from '@/lib/wire/clock';
import type { Target } from '@/lib/wire/command';
import type { ProtocolChoice } from '@/lib/wire/lifecycle';
import { own } from '@/lib/wire/message';
import type { ExitCode } from '../cli/exit-code';
import { findSubcommand } from '../cli/subcommands';
import { resolveLaunch } from '../connection/launch';
import { launchSecrets } from '../connection/launch-secrets';
import { Reaper } from '../process/reaper';
import { createTransport } from '../transports/registry';
import { COMMANDS } from './commands/registry';
import { heardTap } from './heard-tap';
import { recordingTap, startRecording } from './recording';
import { parseRequest } from './request';
import { type Answer, type PlayedClient, Session } from './session';
import type { Action } from './subcommand';
import { type KeptOutput, keptOutput } from './test-session';

/** What a recorded client answers and can. */
const CLIENT: PlayedClient = {
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

/** Records a session with a server into a new file: `run` is what the client does. */
export async function capture(
  target: Target,
  file: string,
  run: (ask: Session['request'], session: Session) => Promise<void>,
  protocol: ProtocolChoice = '2025-11-25',
): Promise<void> {
  const launch = resolveLaunch(target, protocol, []);
  const recording = startRecording(file, launch, new Date().toISOString(), '0.0.0-test');
  const session = sessionWith(target, protocol, { client: CLIENT }, (next) => recordingTap(recording, next));
  try {
    await session.open();
    await run(session.request.bind(session), session);
  } finally {
    await session.close();
    recording.end();
  }
}

/** What came of running a subcommand. */
type Ran = KeptOutput & { readonly code: ExitCode };

/** Runs `verify` against a server. Rejects as the subcommand does. */
export function verifyAgainst(target: Target, ...argv: string[]): Promise<Ran> {
  return verifyChanged(target, (text) => text, ...argv);
}

/** The same, against a server whose every message is `changed` first. */
export async function verifyChanged(
  target: Target,
  changed: (text: string) => string,
  ...argv: string[]
): Promise<Ran> {
  const request = parseRequest(findSubcommand(['verify', ...argv, '--demo'])!);
  if (typeof request === 'string') throw new Error(request);
  const out = keptOutput(request.json);
  const action: Action = await COMMANDS.verify(request);
  const session = sessionWith(target, action.connect?.protocol ?? 'auto', action.connect ?? {}, undefined, changed);
  try {
    const negotiated = await session.open();
    return { ...out, code: await action({ session, negotiated, out, stray: { takeLines: () => undefined } }) };
  } finally {
    await session.close();
  }
}

/** What a result holds under a name; throws for an error. */
export function structured(answer: Answer, key: string): unknown {
  if (answer.kind === 'error') throw new Error(answer.error.message);
  return own((answer.result as { structuredContent: Record<string, unknown> }).structuredContent, key);
}

function sessionWith(
  target: Target,
  protocol: ProtocolChoice,
  { client, heard, redactor }: NonNullable<Action['connect']>,
  tap = (next: () => number) => next as Parameters<typeof heardTap>[0],
  changed = (text: string) => text,
): Session {
  const [clock, reaper, version] = [systemClock, new Reaper(), '0.0.0-test'];
  let seq = 0;
  const launch = resolveLaunch(target, protocol, []);
  redactor?.give(launchSecrets(launch));
  return new Session(launch, {
    clock,
    version,
    ...(client && { client }),
    append: heardTap(
      tap(() => ++seq),
      heard,
    ),
    openTransport: (launched, sink) =>
      createTransport(launched, { sink: changing(sink, changed), clock, reaper, version, allowLinkLocal: false }),
    lookFurther: async () => {},
  });
}

/** As if the server had said the changed text. */
function changing(sink: HttpSink, changed: (text: string) => string): HttpSink {
  return {
    ...sink,
    frame: (channel, direction, bytes, start, end, flags) => {
      if (channel !== 'protocol' || direction !== 'to-client')
        return sink.frame(channel, direction, bytes, start, end, flags);
      const text = Buffer.from(changed(Buffer.from(bytes.subarray(start, end)).toString()));
      return sink.frame(channel, direction, text, 0, text.length, flags);
    },
    message: (text) => sink.message(changed(text)),
  };
}
