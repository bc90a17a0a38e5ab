import { type ChatLimits, type ChatSettings, type ToolMode, USUAL_LIMITS } from '@/features/chat/lib/chat-frame';
import { namingProblem } from '@/features/chat/lib/tool-names';
import { choiceOf } from '@/proxy/cli/choice';
import { usageError } from '@/proxy/cli/exit-code';
import { lastValue, type ParsedOptions, readCountOption } from '@/proxy/cli/grammar';
import { readText } from '@/proxy/commands/headless/call-arguments';

/** The settings of a chat that its command line gives. */
export interface CommandLineSettings {
  readonly system?: string;
  readonly temperature?: number;
  readonly toolMode?: ToolMode;
  readonly naming?: string;
  readonly limits: Partial<ChatLimits>;
}

/** Largest limit. */
const MOST = 100_000_000;
const LIMIT_NAMES = Object.keys(USUAL_LIMITS) as readonly (keyof ChatLimits)[];

/** Reads the options that say how a model is asked. Rejects with an ExitError. */
export async function readChatSettings(given: ParsedOptions): Promise<CommandLineSettings> {
  const option = (key: string): string | undefined => lastValue(given, `model-option.${key}`);
  const system = option('system');
  const [temperature, tools, naming] = [option('temperature'), option('tools'), option('naming')];
  const mode = tools === undefined ? undefined : choiceOf('--model-option tools=', tools, ['native', 'described']);
  const wrong = naming === undefined ? undefined : namingProblem(naming);
  if (wrong !== undefined) throw usageError(`\`--model-option naming\`: ${wrong}`);
  return {
    limits: readLimits(option),
    ...(system !== undefined && { system: (await readText(system)).trimEnd() }),
    ...(temperature !== undefined && { temperature: readTemperature(temperature) }),
    ...(mode !== undefined && { toolMode: mode }),
    ...(naming !== undefined && { naming }),
  };
}

/** Returns the settings of a new chat. */
export function newSettings(
  model: { readonly id: string; readonly toolMode: ToolMode },
  servers: readonly { readonly name: string }[],
  { limits, ...given }: CommandLineSettings,
): ChatSettings {
  return {
    model: model.id,
    servers: servers.map(({ name }) => name),
    limits: { ...USUAL_LIMITS, ...limits },
    toolMode: model.toolMode,
    ...given,
  };
}

function readTemperature(text: string): number {
  const number = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (number <= 2) return number;
  throw usageError(`\`--model-option temperature=${text.slice(0, 60)}\` is invalid: give a number from 0 to 2.`);
}

function readLimits(option: (key: string) => string | undefined): Partial<ChatLimits> {
  return Object.fromEntries(
    LIMIT_NAMES.flatMap((name) => {
      const value = option(name);
      return value === undefined ? [] : [[name, readCountOption(`model-option ${name}`, value, MOST)]];
    }),
  );
}
