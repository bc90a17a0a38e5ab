import { join } from 'node:path';
import { Chat } from '@/lib/chat/chat';
import { type Allowance, type ChatFailure, type Decision, type OfferedTool, USUAL_LIMITS } from '@/lib/chat/chat-frame';
import { isAllowed } from '@/lib/chat/loop';
import type { Model } from '@/lib/chat/model';
import type { CasesFile, EvalCase } from '@/lib/evals/eval-case';
import type { EvalRun } from '@/lib/evals/report';
import type { PlannedRun } from '@/lib/evals/run-evals';
import { readRun } from '@/lib/evals/run-facts';
import type { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { systemClock } from '@/lib/wire/clock';
import { ChatLog } from '../chat/chat-log';
import { ChatServers } from '../chat/chat-servers';
import type { CommandServer } from '../chat/command-server';
import type { GivenSettings } from '../chat/model-options';
import { fileName, recordChat } from '../chat/recorded-chat';
import type { ClientOptions } from '../client-options';
import type { EvalPlan } from './eval-plan';

/** The settings that all runs of an eval share. */
export interface RunnerOptions {
  readonly version: string;
  readonly allow: Allowance;
  readonly given: GivenSettings;
  readonly client: ClientOptions | undefined;
  /** Folder for recordings. */
  readonly folder: string | undefined;
  /** Knows what is masked in recordings of chats. */
  readonly secrets: CaptureRedactor;
  printNote(line: string): void;
}

/** Code of the failure of a run whose servers did not start. */
export const NOT_STARTED = 'server-not-started';

/** Servers that have started, or why not. */
type Opened =
  | { readonly servers: readonly CommandServer[]; readonly failure?: undefined }
  | { readonly servers?: undefined; readonly failure: ChatFailure };

type Planned = PlannedRun<EvalCase, Model>;

/** Runs the cases of one file. Servers are started once, and for a case that wants fresh ones in each run. */
export class CaseRunner {
  readonly #plan: EvalPlan;
  readonly #number: number;
  readonly #options: RunnerOptions;
  readonly #groups = new Set<ChatServers>();
  #shared: Promise<Opened> | undefined;

  /** `number`: of the file among all. */
  constructor(plan: EvalPlan, number: number, options: RunnerOptions) {
    this.#plan = plan;
    this.#number = number;
    this.#options = options;
  }

  /** Runs a case once. The number is one of all runs. Rejects with an ExitError if a recording can’t be written. */
  async run({ case: one, model, repeat }: Planned, number: number, signal: AbortSignal): Promise<EvalRun> {
    const { file } = this.#plan;
    const { version, folder, secrets, printNote } = this.#options;
    const name = `${number}-${fileName(one.name)}`;
    const path = folder === undefined ? undefined : join(folder, `${name}.mcpr.jsonl`);
    const group = one.fresh ? this.#newGroup(name) : undefined;
    const { servers, failure } = await (group ? this.#open(group, one.servers) : this.#sharedServers());
    if (!servers) {
      if (group) await this.#end(group);
      const facts = { ...readRun([]), failure };
      return { file, case: one, model: model.id, repeat, facts, milliseconds: 0 };
    }
    const log = new ChatLog(systemClock);
    const recording = path === undefined ? undefined : recordChat(path, log.began.at, version, secrets);
    if (recording) log.record(recording.tap(() => 0));
    try {
      const chat = this.#newChat(log, one, model, servers);
      const turn = chat.say([{ type: 'text', text: one.prompt }]);
      const begun = systemClock.now();
      await chat.answer(turn, signal);
      signal.throwIfAborted();
      return {
        ...{ file, case: one, model: model.id, repeat, facts: readRun(log.events) },
        milliseconds: systemClock.now() - begun,
        ...(path !== undefined && { recording: path }),
      };
    } finally {
      if (group) await this.#end(group);
      const missing = await recording?.end();
      if (missing !== undefined) printNote(`mcp-inspect: ${missing}`);
    }
  }

  /** Ends all servers. */
  async close(): Promise<void> {
    await Promise.all([...this.#groups].map((group) => group.close()));
  }

  #newChat(log: ChatLog, one: EvalCase, model: Model, servers: readonly CommandServer[]): Chat {
    const { settings } = this.#plan;
    const { allow, given } = this.#options;
    const offered = servers.filter(({ name }) => one.servers?.includes(name) ?? true);
    const hasAnswers = one.answers.size > 0;
    const chat = new Chat({
      ...{ write: log.write, clock: systemClock, model: () => model, servers: () => offered },
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
      ...{ model: model.id, toolMode: settings.toolMode ?? model.toolMode },
      servers: offered.map(({ name }) => name),
      limits: { ...USUAL_LIMITS, ...settings.limits, ...limits },
      ...chosen,
      // Answers of the case come before what is allowed.
      ...(!hasAnswers && { allow }),
    });
    return chat;
  }

  #sharedServers(): Promise<Opened> {
    this.#shared ??= this.#open(this.#newGroup(`servers-${this.#number}-${fileName(this.#plan.file)}`));
    return this.#shared;
  }

  #newGroup(name: string): ChatServers {
    const { version, client, folder, secrets, printNote } = this.#options;
    const numberOf = (server: string) => this.#plan.entries.findIndex((entry) => entry.name === server) + 1;
    const group = new ChatServers({
      ...{ options: this.#plan.options, version, printNote, secrets, client: () => client },
      ...(folder !== undefined && {
        record: (server: string) => join(folder, `${name}-${numberOf(server)}-${fileName(server)}.mcpr.jsonl`),
      }),
    });
    this.#groups.add(group);
    return group;
  }

  /** Starts servers. Resolves with the first failure if one does not start. */
  async #open(group: ChatServers, wanted?: readonly string[]): Promise<Opened> {
    const entries = this.#plan.entries.filter(({ name }) => wanted?.includes(name) ?? true);
    const { servers, failed } = await group.open(entries);
    const [first] = failed;
    if (!first) return { servers };
    const { name, failure, stderr } = first;
    const advice = [failure.advice, ...stderr.map((line) => `${name} | ${line}`)].join('\n');
    return { failure: { code: NOT_STARTED, message: `${name}: ${failure.message}`, advice } };
  }

  async #end(group: ChatServers): Promise<void> {
    await group.close();
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
): Decision {
  const text = answers.get(tool.name) ?? answers.get(tool.tool);
  if (text !== undefined) return { kind: 'answer', text };
  return isAllowed(tool, allow, offered)
    ? { kind: 'run' }
    : { kind: 'refuse', reason: `The tool ${tool.name} is not allowed.` };
}
