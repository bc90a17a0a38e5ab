import { Chat } from '@/features/chat/lib/chat';
import {
  type Allowance,
  type CallDecision,
  type ChatEvent,
  type ChatFailure,
  type OfferedTool,
  USUAL_LIMITS,
} from '@/features/chat/lib/chat-frame';
import { isCallAllowed } from '@/features/chat/lib/loop';
import type { ChatServer, Model } from '@/features/chat/lib/model';
import { offerTools, writtenNames } from '@/features/chat/lib/tool-names';
import type { EvalRun } from '@/features/evals/lib/attempt';
import { type UnknownName, unknownNames } from '@/features/evals/lib/check-names';
import type { ServerRecording } from '@/features/evals/lib/eval-attempt';
import type { CasesFile, EvalCase } from '@/features/evals/lib/eval-case';
import type { PlannedRun } from '@/features/evals/lib/run-evals';
import { readRun } from '@/features/evals/lib/run-facts';
import { systemClock } from '@/lib/wire/clock';
import type { EvalPlan, EvalServers } from './eval-plan';

/** The settings that all runs of an eval share. */
export interface RunnerOptions {
  readonly allow: Allowance;
  /** Returns the file for a recording, whose name is made of these words; undefined if nothing is recorded. */
  recordingPath(...words: readonly string[]): string | undefined;
  /** Begins the log of a chat, which is recorded in a file if there is one. */
  newLog(path: string | undefined): RunLog;
}

/** The log of one run. */
export interface RunLog {
  readonly events: readonly ChatEvent[];
  /** Adds an event, and returns the number of its frame. */
  write(event: ChatEvent): number;
  /** Completes the recording. */
  end(): Promise<void>;
}

/** Code of the failure of a run whose servers did not start. */
export const NOT_STARTED = 'server-not-started';

/** Servers that were started together. */
interface Group {
  readonly servers: EvalServers;
  readonly opened: Promise<OpenedServers>;
  /** Runs that use it. */
  users: number;
}

interface OpenedServers {
  readonly servers: readonly ChatServer[];
  /** Why the others did not start, by name. */
  readonly failures: ReadonlyMap<string, ChatFailure>;
  readonly recordings: readonly ServerRecording[];
}

type Planned = PlannedRun<EvalCase, Model>;

/** Runs the cases of one file. Servers are started once, and for a case that wants fresh ones in each run. */
export class CaseRunner {
  readonly #plan: EvalPlan;
  readonly #number: number;
  readonly #options: RunnerOptions;
  readonly #groups = new Set<Group>();
  /** Lines of cases that answer or forbid tools which may be those of a server that did not start. */
  readonly #doubtful = new Set<number>();
  #shared: Group | undefined;
  /** How many shared groups have begun. */
  #generation = 0;

  /** `number`: of the file among all. */
  constructor(plan: EvalPlan, number: number, options: RunnerOptions) {
    this.#plan = plan;
    this.#number = number;
    this.#options = options;
  }

  /**
   * Starts the servers, and compares the names in the cases with their tools, before a model is asked. Cases that
   * lack a server are left out, because their runs say which one. Then `tools` is absent.
   */
  async checkNames(): Promise<{ readonly unknown: readonly UnknownName[]; readonly tools?: readonly OfferedTool[] }> {
    const { cases } = this.#plan.settings;
    const group = cases.some(({ fresh }) => !fresh) ? this.#sharedGroup() : this.#newGroup(this.#plan.servers);
    group.users++;
    try {
      const opened = await group.opened;
      const tools = await this.#offered(opened.servers);
      const offeredTo = ({ servers }: EvalCase) => tools.filter(({ server }) => servers?.includes(server) ?? true);
      const whole = cases.filter((one) => this.#failureOf(one, opened) === undefined);
      const unknown = unknownNames(whole, offeredTo);
      if (opened.failures.size === 0) return { unknown, tools };
      const isSure = ({ member }: UnknownName) => member === 'expect';
      for (const name of unknown) if (!isSure(name)) this.#doubtful.add(name.line);
      return { unknown: unknown.filter(isSure) };
    } catch {
      // The first run says why a list can't be read.
      return { unknown: [] };
    } finally {
      await this.#leave(group);
    }
  }

  /** Runs a case once. The number is one of all runs. Rejects if a recording can’t be written. */
  async run({ case: one, model, repeat }: Planned, number: number, signal: AbortSignal): Promise<EvalRun> {
    const { file, servers: names } = this.#plan;
    const path = this.#options.recordingPath(String(number), one.name);
    const group = one.fresh ? this.#newGroup(one.servers ?? names, String(number), one.name) : this.#sharedGroup();
    group.users++;
    try {
      const opened = await group.opened;
      const failure = this.#failureOf(one, opened);
      if (failure) {
        const facts = { ...readRun([]), failure };
        return { file, case: one, model: model.id, repeat, facts, milliseconds: 0 };
      }
      const log = this.#options.newLog(path);
      try {
        const offered = opened.servers.filter(({ name }) => one.servers?.includes(name) ?? true);
        const chat = this.#newChat(log, one, model, offered);
        const turn = chat.say([{ type: 'text', text: one.prompt }]);
        const begun = systemClock.now();
        await chat.answer(turn, signal);
        signal.throwIfAborted();
        return {
          file,
          case: one,
          model: model.id,
          repeat,
          facts: readRun(log.events),
          milliseconds: systemClock.now() - begun,
          ...(path !== undefined && { recording: path, servers: opened.recordings }),
        };
      } finally {
        await log.end();
      }
    } finally {
      await this.#leave(group);
    }
  }

  /** Ends all servers. */
  async close(): Promise<void> {
    await Promise.all([...this.#groups].map(({ servers }) => servers.close()));
  }

  /** Returns why a case lacks one of its servers. */
  #failureOf({ servers = this.#plan.servers, line }: EvalCase, { failures }: OpenedServers): ChatFailure | undefined {
    const needed = this.#doubtful.has(line) ? this.#plan.servers : servers;
    const missing = needed.find((name) => failures.has(name));
    return missing === undefined ? undefined : failures.get(missing);
  }

  #newChat(log: RunLog, one: EvalCase, model: Model, offered: readonly ChatServer[]): Chat {
    const { settings, given } = this.#plan;
    const { allow } = this.#options;
    const hasAnswers = one.answers.size > 0;
    const chat = new Chat({
      write: (event) => log.write(event),
      clock: systemClock,
      model: () => model,
      servers: () => offered,
      ...(hasAnswers && {
        decide: async (_call, tool) => ({
          ...decisionOf(tool, one.answers, allow, chat.state.tools),
          by: 'rule' as const,
        }),
      }),
    });
    const { limits, ...chosen } = given;
    chat.configure({
      ...fileSettings(settings),
      ...(one.system !== undefined && { system: one.system }),
      model: model.id,
      toolMode: settings.toolMode ?? model.toolMode,
      servers: offered.map(({ name }) => name),
      limits: { ...USUAL_LIMITS, ...settings.limits, ...limits },
      ...chosen,
      // Answers of the case come before what is allowed.
      ...(!hasAnswers && { allow }),
    });
    return chat;
  }

  async #offered(servers: readonly ChatServer[]): Promise<readonly OfferedTool[]> {
    const listed = await Promise.all(
      servers.map(async (server) => ({ server: server.name, tools: await server.tools() })),
    );
    return offerTools(listed, this.#plan.given.naming);
  }

  /** Returns the servers that runs share. They are started again once one of them has ended by itself. */
  #sharedGroup(): Group {
    if (this.#shared?.servers.isBroken) {
      const broken = this.#shared;
      this.#shared = undefined;
      if (broken.users === 0) void this.#end(broken);
    }
    if (!this.#shared) {
      const again = ++this.#generation > 1 ? [String(this.#generation)] : [];
      this.#shared = this.#newGroup(this.#plan.servers, 'servers', String(this.#number), ...again, this.#plan.file);
    }
    return this.#shared;
  }

  /** `words` begin the names of the recordings. Without any, nothing is recorded. */
  #newGroup(names: readonly string[], ...words: readonly string[]): Group {
    const { recordingPath } = this.#options;
    const paths = new Map<string, string>();
    const isRecorded = words.length > 0 && recordingPath() !== undefined;
    const recordIn = (server: string): string => {
      const number = this.#plan.servers.indexOf(server) + 1;
      const path = recordingPath(...words, String(number), server)!;
      paths.set(server, path);
      return path;
    };
    const servers = this.#plan.newServers(isRecorded ? recordIn : undefined);
    const group: Group = { servers, opened: this.#open(servers, names, paths), users: 0 };
    this.#groups.add(group);
    return group;
  }

  async #open(
    servers: EvalServers,
    names: readonly string[],
    paths: ReadonlyMap<string, string>,
  ): Promise<OpenedServers> {
    const { servers: opened, failed } = await servers.open(names);
    const failures = failed.map(({ name, failure, stderr }) => {
      const advice = [failure.advice, ...stderr.map((line) => `${name} | ${line}`)].join('\n');
      return [name, { code: NOT_STARTED, message: `${name}: ${failure.message}`, advice }] as const;
    });
    const recordings = opened.flatMap(({ name, connection }) => {
      const recording = paths.get(name);
      return recording === undefined ? [] : { connection, server: name, recording };
    });
    return { servers: opened, failures: new Map(failures), recordings };
  }

  /** A run needs a group no longer. */
  async #leave(group: Group): Promise<void> {
    group.users--;
    if (group.users === 0 && group !== this.#shared) await this.#end(group);
  }

  async #end(group: Group): Promise<void> {
    await group.servers.close();
    this.#groups.delete(group);
  }
}

function fileSettings({ system, temperature }: CasesFile) {
  return { ...(system !== undefined && { system }), ...(temperature !== undefined && { temperature }) };
}

function decisionOf(
  tool: OfferedTool,
  answers: EvalCase['answers'],
  allow: Allowance,
  offered: readonly OfferedTool[],
): CallDecision {
  const text = writtenNames(tool)
    .map((name) => answers.get(name))
    .find((answer) => answer !== undefined);
  if (text !== undefined) return { kind: 'answer', text };
  return isCallAllowed(tool, allow, offered)
    ? { kind: 'run' }
    : { kind: 'refuse', reason: `The tool ${tool.name} is not allowed.` };
}
