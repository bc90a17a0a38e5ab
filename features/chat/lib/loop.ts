import type { Clock } from '@/lib/wire/clock';
import { untilAborted } from '@/lib/wire/until-aborted';
import { checkArguments } from './argument-check';
import { type AskedCall, askModel, chatFailure, parseArguments } from './ask-model';
import type {
  Allowance,
  CallDecision,
  ChatEvent,
  ChatFailure,
  ChatPart,
  ChatSettings,
  OfferedTool,
  StopReason,
} from './chat-frame';
import { type ChatState, tokensOf } from './chat-state';
import { cutResult } from './cut-result';
import { withDescribedTools } from './described-tools';
import { chatMessages, NO_RESULT } from './history';
import type { ChatServer, Model } from './model';
import { Stopping, TimeBudget } from './time-budget';
import { offerTools, qualifiedName, toolNamed } from './tool-names';

/** A decision. `rule`: no person made it. */
export type Decided = CallDecision & { readonly by?: 'rule' };

/** Decides a call that the settings don't allow. May take as long as a person needs. */
export type Decide = (call: AskedCall, tool: OfferedTool, signal: AbortSignal) => Promise<Decided>;

export interface LoopOptions {
  /** The chat so far. `record` must add to it. */
  readonly state: ChatState;
  readonly record: (event: ChatEvent) => void;
  readonly model: Model;
  /** Servers by name, including all that the settings name. */
  readonly servers: readonly ChatServer[];
  /** Absent: calls that the settings don't allow are refused. */
  readonly decide?: Decide;
  readonly clock: Clock;
}

/** Ends an answer early, for a reason that the chat shows. */
class Stop extends Error {
  constructor(
    readonly reason: StopReason,
    readonly failure?: ChatFailure,
  ) {
    super(failure?.message ?? reason);
  }
}

/**
 * Lets the model answer in `turn`, which has begun: asks it, runs its calls, and asks again until it stops. Everything
 * that happens is recorded, the last event is `end`. Never rejects because of a model, a server or a decision.
 */
export async function answerTurn(options: LoopOptions, turn: string, signal: AbortSignal): Promise<void> {
  const { state, record, clock } = options;
  const settings = settingsOf(state, turn);
  const stopping = new Stopping();
  const onAbort = () => stopping.stop(new Stop('cancelled'));
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  const budget = new TimeBudget(clock, settings.limits.seconds, () => stopping.stop(tooSlow(settings.limits.seconds)));
  let end: Stop;
  try {
    end = await new Answer(options, turn, settings, budget, stopping).run();
  } catch (error) {
    const cause: unknown = stopping.signal.aborted ? stopping.signal.reason : error;
    end = cause instanceof Stop ? cause : new Stop('error', chatFailure(cause));
  } finally {
    signal.removeEventListener('abort', onAbort);
    // Whatever still hangs learns that nobody waits for it.
    stopping.stop(new Stop('cancelled'));
  }
  record({ type: 'end', turn, reason: end.reason, ...(end.failure && { failure: end.failure }) });
}

function settingsOf(state: ChatState, turn: string): ChatSettings {
  const settings = state.turns.get(turn)?.settings;
  if (settings === undefined) throw new Error(`The turn ${turn} has not begun, or the chat has no settings.`);
  return settings;
}

/** Returns true if the settings let one of the offered tools run without asking. */
export function isCallAllowed(
  tool: OfferedTool,
  allow: Allowance | undefined,
  offered: readonly OfferedTool[],
): boolean {
  if (allow === undefined) return false;
  if (allow.mode === 'all' || (allow.mode === 'read-only' && tool.readOnly)) return true;
  const { tools = [], written = [] } = allow;
  const qualified = qualifiedName(tool);
  if (tools.includes(qualified) || written.includes(qualified) || written.includes(tool.name)) return true;
  // A server may name its tool as the model knows that of another server.
  return written.includes(tool.tool) && toolNamed(offered, tool.tool) === undefined;
}

type ToolAnswer = Awaited<ReturnType<ChatServer['callTool']>>;

/** One answer while it runs. */
class Answer {
  readonly #options: LoopOptions;
  readonly #turn: string;
  readonly #settings: ChatSettings;
  readonly #budget: TimeBudget;
  readonly #stopping: Stopping;
  #calls = 0;

  constructor(options: LoopOptions, turn: string, settings: ChatSettings, budget: TimeBudget, stopping: Stopping) {
    this.#options = options;
    this.#turn = turn;
    this.#settings = settings;
    this.#budget = budget;
    this.#stopping = stopping;
  }

  async run(): Promise<Stop> {
    const { limits } = this.#settings;
    for (let number = 1; ; number++) {
      const { reason, calls } = await this.#busy(() => this.#ask(number));
      if (calls.length === 0) return new Stop(reason === 'calls' ? 'stop' : reason);
      const most = limits.tokensPerAnswer;
      if (most !== undefined && this.#tokens() >= most) return tooManyTokens(most);
      const left = limits.calls - this.#calls;
      this.#calls += calls.length;
      await this.#runCalls(calls, left);
      if (this.#calls > limits.calls) return tooManyCalls(limits.calls);
    }
  }

  /** Tokens of the answer so far: as the provider counted them, else estimated. */
  #tokens(): number {
    const turn = this.#options.state.turns.get(this.#turn);
    return turn === undefined || turn.kind === 'user' ? 0 : turn.requests.reduce((sum, one) => sum + tokensOf(one), 0);
  }

  async #busy<T>(work: () => Promise<T>): Promise<T> {
    const end = this.#budget.begin();
    try {
      return await work();
    } finally {
      end();
    }
  }

  async #ask(number: number) {
    const { state, record, model, clock } = this.#options;
    const { system, temperature, limits, toolMode } = this.#settings;
    const tools = await this.#offer();
    if (JSON.stringify(tools) !== JSON.stringify(state.tools)) record({ type: 'tools', turn: this.#turn, tools });
    return askModel({
      turn: this.#turn,
      number,
      model: toolMode === 'described' ? withDescribedTools(model) : model,
      request: {
        ...(system !== undefined && { system }),
        messages: chatMessages(state, this.#turn, this.#settings.model),
        // The same objects as before, whose tokens are known.
        tools: state.tools,
        ...(temperature !== undefined && { temperature }),
        outputTokens: limits.outputTokens,
      },
      record,
      clock,
      budget: this.#budget,
      signal: this.#stopping.signal,
      isCallId: (id) => state.calls.has(id),
      checkArguments,
    });
  }

  async #offer(): Promise<readonly OfferedTool[]> {
    const { servers, withheld = [], naming } = this.#settings;
    const listed = await Promise.all(servers.map(async (server) => ({ server, tools: await this.#list(server) })));
    return offerTools(listed, naming, withheld);
  }

  async #list(name: string) {
    const advice = 'Connect it again, or choose the servers of the chat without it.';
    const server = this.#server(name);
    if (server === undefined) {
      throw new Stop('error', { code: 'no-server', message: `The server ${name} is not connected.`, advice });
    }
    try {
      return await this.#stopping.run((signal) => untilAborted(server.tools(), signal));
    } catch (error) {
      this.#stopping.signal.throwIfAborted();
      const message = `Could not list the tools of ${name}: ${reasonText(error)}`;
      throw new Stop('error', { code: 'no-tools', message, advice });
    }
  }

  #server(name: string): ChatServer | undefined {
    return this.#options.servers.find((server) => server.name === name);
  }

  /** Runs the first `left` calls side by side, and refuses the others. Each gets a result, even if the chat stops. */
  async #runCalls(calls: readonly AskedCall[], left: number): Promise<void> {
    await Promise.all(calls.map((call, at) => this.#runCall(call, at < left)));
    this.#stopping.signal.throwIfAborted();
  }

  async #runCall(call: AskedCall, withinLimit: boolean): Promise<void> {
    let begun: number | undefined;
    const finish = (parts: readonly ChatPart[], isError: boolean) => this.#finish(call, parts, isError, begun);
    try {
      const decision = await this.#decide(call, withinLimit);
      // A person may take any time.
      begun = this.#options.clock.now();
      if (decision.kind === 'answer') finish([{ type: 'text', text: decision.text }], decision.isError ?? false);
      else if (decision.kind === 'refuse') finish([{ type: 'text', text: refusalText(decision) }], true);
      else {
        const { arguments: changed } = decision;
        const { parts, isError } = await this.#send(changed === undefined ? call : withArguments(call, changed));
        finish(parts, isError);
      }
    } catch (error) {
      const text = this.#stopping.signal.aborted ? NO_RESULT : `The call failed: ${reasonText(error)}`;
      finish([{ type: 'text', text }], true);
    }
  }

  async #decide({ part, tool, faults, args }: AskedCall, withinLimit: boolean): Promise<CallDecision> {
    const { decide } = this.#options;
    const by = (who: 'person' | 'rule' | 'loop', decision: CallDecision): CallDecision => {
      this.#options.record({ type: 'decision', turn: this.#turn, call: part.id, decision, by: who });
      return decision;
    };
    if (!withinLimit) return by('loop', { kind: 'refuse', reason: 'The most calls of one answer are reached.' });
    if (tool === undefined || args === undefined) {
      return by('loop', { kind: 'refuse', reason: faults.map(({ message }) => message).join(' ') });
    }
    // The person may have allowed more while the answer runs.
    if (isCallAllowed(tool, this.#options.state.settings?.allow, this.#options.state.tools))
      return by('rule', { kind: 'run' });
    if (decide === undefined) return by('rule', { kind: 'refuse', reason: `The tool ${tool.name} is not allowed.` });
    this.#options.record({ type: 'ask', turn: this.#turn, call: part.id });
    const ask = (signal: AbortSignal) => untilAborted(decide({ part, tool, faults, args }, tool, signal), signal);
    const { by: who = 'person', ...decision } = await this.#stopping.run(ask);
    return by(who, decision);
  }

  async #send({ part, tool, args }: AskedCall): Promise<ToolAnswer> {
    const server = this.#server(tool!.server);
    if (server === undefined) throw new Error(`the server ${tool!.server} is not connected.`);
    const { name, connection, recording } = server;
    let endBusy = this.#budget.begin();
    // A call that was given up may still report.
    let isOver = false;
    try {
      const { parts, isError, structured } = await this.#stopping.run((signal) => {
        const calling = server.callTool(tool!.tool, args!, {
          signal,
          text: part.arguments.trim() || '{}',
          onSent: (seq) => {
            if (isOver) return;
            const where = { server: name, connection, seq, ...(recording !== undefined && { recording }) };
            this.#options.record({ type: 'sent', turn: this.#turn, call: part.id, ...where });
          },
          onWaiting: (waiting) => {
            endBusy();
            if (!waiting && !isOver) endBusy = this.#budget.begin();
          },
        });
        return untilAborted(calling, signal);
      });
      if (parts.length > 0 || structured === undefined) return { parts, isError };
      return { parts: [{ type: 'text', text: JSON.stringify(structured) }], isError };
    } finally {
      isOver = true;
      endBusy();
    }
  }

  /** `begun`: when it was decided; undefined if it never was. */
  #finish({ part }: AskedCall, parts: readonly ChatPart[], isError: boolean, begun: number | undefined): void {
    const now = this.#options.clock.now();
    const cut = cutResult(parts, this.#settings.limits.resultChars);
    this.#options.record({
      type: 'result',
      turn: this.#turn,
      call: part.id,
      result: { type: 'result', id: part.id, name: part.name, parts: cut.parts, isError },
      ...(cut.cutFrom !== undefined && { cutFrom: cut.cutFrom }),
      ...(this.#stopping.signal.aborted && { stopped: true }),
      milliseconds: Math.round(now - (begun ?? now)),
    });
  }
}

/** Returns the call with other arguments. Throws if they are not a JSON object. */
function withArguments(call: AskedCall, text: string): AskedCall {
  const args = parseArguments(text);
  if (typeof args === 'string') throw new Error(args);
  return { ...call, part: { ...call.part, arguments: text }, args };
}

function refusalText({ reason }: CallDecision & { readonly kind: 'refuse' }): string {
  return reason === undefined || reason === '' ? 'The user refused this call.' : `The call was refused: ${reason}`;
}

function reasonText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function tooManyCalls(most: number): Stop {
  return new Stop('limit', {
    code: 'too-many-calls',
    message: `The model asked for more than ${most} ${most === 1 ? 'call' : 'calls'} in one answer.`,
    advice: 'Send a message to continue, or raise the limit of calls.',
  });
}

function tooManyTokens(most: number): Stop {
  return new Stop('limit', {
    code: 'too-many-tokens',
    message: `The requests of this answer took ${most} tokens or more.`,
    advice: 'Send a message to continue, or raise the limit of tokens per answer.',
  });
}

function tooSlow(seconds: number): Stop {
  return new Stop('limit', {
    code: 'too-slow',
    message: `The answer took longer than ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    advice: 'Try again, or raise the time limit.',
  });
}
