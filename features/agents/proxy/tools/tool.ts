import * as z from 'zod';
import { formatBytes, formatCount } from '@/lib/wire/format';
import { openErrorText } from '@/proxy/recorder/open-file';
import type { AgentRecording } from '../agent-recording';
import { FEWEST_TOKENS, MOST_TOKENS, quotedForAgent, USUAL_TOKENS } from '../answer';
import type { CallableServer } from '../callable-server';
import type { RecordedSource, RecordedSources } from '../recorded-sources';
import { ToolError } from '../tool-error';

/** Everything that a call of a tool can use. */
export interface ToolContext {
  readonly sources: RecordedSources;
  /** The server whose tools may be called, if any. */
  readonly server: CallableServer | undefined;
  /** Aborted when the client cancels the call, or is gone. */
  readonly signal: AbortSignal;
}

/** The answer of a tool: text for models, and the same facts for programs if the tool declares them. */
export interface ToolAnswer {
  readonly text: string;
  readonly facts?: Record<string, unknown>;
}

/** A tool for agents. */
export interface AgentTool {
  readonly name: string;
  readonly title: string;
  /** All that an agent has to know to use it. */
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output?: z.ZodObject;
  /** Set if it calls the inspected server, which may do anything. */
  readonly calls?: true;
  /** `args` have been checked against `input`. Rejects with a ToolError for the agent. */
  run(args: never, context: ToolContext): Promise<ToolAnswer>;
}

/** Gives `run` the types of `input`. */
export function defineTool<Input extends z.ZodObject>(
  tool: Omit<AgentTool, 'input' | 'run'> & {
    readonly input: Input;
    run(args: z.infer<Input>, context: ToolContext): Promise<ToolAnswer>;
  },
): AgentTool {
  return tool;
}

/** Parameters that several tools have. */
export const RECORDING = z
  .string()
  .max(300)
  .optional()
  .describe('Name of a recording, or a part of it. Without it: the first that list_recordings lists, the newest.');
export const MAX_TOKENS = z
  .int()
  .min(FEWEST_TOKENS)
  .max(MOST_TOKENS)
  .default(USUAL_TOKENS)
  .describe('Most tokens of the answer.');
export const CURSOR = z.string().max(20).optional().describe('Goes on where an answer ended: its `cursor`.');

/** Reads a cursor of ours, which is a number. Throws a ToolError. */
export function readCursor(cursor: string | undefined): number {
  if (cursor === undefined || cursor === '') return 0;
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor);
  throw new ToolError('`cursor` must be one that an earlier answer of this tool gave. Leave it out to begin.');
}

/** Milliseconds that a call may read a recording. Clients usually wait for a minute. */
const READ_MS = 20_000;

/** A recording that was read as far as time allowed. */
export interface OpenedSource {
  readonly name: string;
  readonly source: RecordedSource;
  readonly recording: AgentRecording;
  /** Returns text of others as data for the agent: masked and in brackets. */
  quote(text: string, most: number, lines?: boolean): string;
  readonly isLate: () => boolean;
  /** Says what was not read, in sentences. */
  readonly notes: readonly string[];
}

/** Limits of reading a recording. */
interface ReadLimits {
  /** Milliseconds. */
  readonly ms?: number;
  /** The frame that is wanted: later ones need not be read. */
  readonly seq?: number;
}

/** Opens a recording and reads it. Throws a ToolError. */
export async function openSource(
  context: ToolContext,
  name: string | undefined,
  { ms = READ_MS, seq = Number.POSITIVE_INFINITY }: ReadLimits = {},
): Promise<OpenedSource> {
  const source = await context.sources.find(name);
  const until = performance.now() + ms;
  const isLate = (): boolean => context.signal.aborted || performance.now() > until;
  try {
    const recording = await context.sources.open(source);
    const isAll = await recording.readOn(() => isLate() || recording.log.size >= seq);
    const { log, gaps } = recording;
    if (log.size === 0 && isAll) throw new ToolError(`The recording \`${source.name}\` has no frames yet.`);
    const read = `${formatBytes(recording.bytesRead)} of ${formatBytes(source.entry.bytes)}`;
    const cut = `Only ${read} (${formatCount(log.size)} frames) are read so far. Call again to read on.`;
    const quote = (text: string, most: number, lines?: boolean) => quotedForAgent(recording.mask(text), most, lines);
    const live = source.entry.live;
    // A live recording has no end yet.
    const isEnough = isAll || log.size >= seq;
    const notes = [...(isEnough ? [] : [cut]), ...(live || !isAll ? [] : gaps)];
    return { name: source.name, source, recording, quote, isLate, notes };
  } catch (error) {
    if (error instanceof ToolError) throw error;
    throw new ToolError(`The recording \`${source.name}\` can’t be read. ${openErrorText(error, 'of the recording')}`);
  }
}
