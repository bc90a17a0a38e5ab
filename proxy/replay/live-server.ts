import { join } from 'node:path';
import type { Forwarded, ReplayHost } from '@/lib/replay/replay';
import { systemClock } from '@/lib/wire/clock';
import { isFailure } from '@/lib/wire/lifecycle';
import { parseArguments } from '../cli/args';
import { buildPresets } from '../cli/presets';
import { type Launch, resolveLaunch } from '../connection/launch';
import { usage } from '../headless/exit-code';
import { notesTap } from '../headless/notes';
import type { Output } from '../headless/output';
import { Session } from '../headless/session';
import { Reaper } from '../process/reaper';
import { createTransport } from '../transports/registry';

/** What a request becomes when the live server could not be asked: JSON-RPC's own failure. */
const INTERNAL_ERROR = -32603;

/** What is needed to reach one. */
export interface LiveDeps {
  /** What follows `--`: a command, or a URL alone. */
  readonly words: readonly string[];
  readonly version: string;
  /** Directory of the built bin. */
  readonly home: string;
  readonly out: Output;
}

/** The server to which is forwarded what was not recorded. It is started, or reached, when it is first asked. */
export class LiveServer {
  readonly #launch: Launch;
  readonly #deps: LiveDeps;
  #session: Session | undefined;
  #opened: Promise<unknown> | undefined;

  /** Throws {@link Stop} for words that name no server. */
  constructor(deps: LiveDeps) {
    this.#deps = deps;
    this.#launch = launchOf(deps);
  }

  readonly forward: NonNullable<ReplayHost['forward']> = async (method, params, progressed): Promise<Forwarded> => {
    try {
      const session = this.#session ?? this.#start();
      await this.#opened;
      const answer = await session.request(method, params, (progress) => progressed(JSON.stringify(progress)));
      if (answer.kind === 'result') return answer;
      return { kind: 'error', text: JSON.stringify(answer.error) };
    } catch (error) {
      const message = isFailure(error) ? `${error.message} ${error.advice}` : String(error);
      this.#deps.out.note('mcp-inspect', `The live server could not be asked. ${message}`);
      return { kind: 'error', text: JSON.stringify({ code: INTERNAL_ERROR, message }) };
    }
  };

  /** Ends it, if it was started. */
  async close(): Promise<void> {
    await this.#session?.close();
  }

  #start(): Session {
    const { version, out } = this.#deps;
    const reaper = new Reaper();
    const clock = systemClock;
    this.#session = new Session(this.#launch, {
      clock,
      version,
      append: notesTap(out),
      openTransport: (launch, sink) => createTransport(launch, { sink, clock, reaper, version, allowLinkLocal: false }),
      lookFurther: async () => {},
    });
    this.#opened = this.#session.open();
    return this.#session;
  }
}

function launchOf({ words, home }: LiveDeps): Launch {
  const parsed = parseArguments(['--', ...words]);
  if (parsed.kind === 'wrong') throw usage(parsed.sentence);
  if (parsed.kind !== 'run' || words.length === 0) {
    throw usage('`--on-miss forward` needs a server: write `-- command args…` or `-- URL` at the end.');
  }
  const found = buildPresets(parsed.options, {
    cwd: process.cwd(),
    environment: process.env,
    demo: { command: process.execPath, args: [join(home, '../examples/demo-server/server.mjs')] },
  });
  if ('wrong' in found) throw usage(found.wrong);
  const { shown } = found.chosen!;
  return resolveLaunch({ ...shown.target, base: shown.id }, shown.protocol, found.presets);
}
