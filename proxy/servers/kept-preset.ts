import type { ConfiguredServer } from '@/lib/wire/api';
import { sameCommand, type Target } from '@/lib/wire/command';
import { programOf } from '@/lib/wire/command-name';
import type { ConfigInput } from '@/lib/wire/config-inputs';
import { type ConfigEntry, findPlaceholders } from '@/lib/wire/server-config';
import { type Launch, type Preset, presetOf } from '../connection/launch';
import { type Environment, fill } from './config-file';
import type { KeptServer } from './kept-servers';
import { presetOfServer } from './server-preset';

/** Sources of the values that a kept server lacks. */
interface ValueSources {
  /** The server as its config names it now. */
  readonly config: Preset | undefined;
  /** Names of the values that the config has. */
  readonly configNames: readonly string[];
  /** The last launch of this server in this run. */
  readonly launch: Launch | undefined;
  readonly environment: Environment;
  readonly cwd: string;
}

/**
 * Returns a kept server as a preset. Its values come from the config that named it, else from this run, else from our
 * environment. What is still missing becomes an input.
 */
export function presetOfKept(
  kept: KeptServer,
  { config, configNames, launch, environment, cwd }: ValueSources,
): Preset {
  const shown = shownOf(kept);
  // Another program must not get the values of the config.
  const theirs = config && programOf(config.shown.target) === programOf(kept.target) ? config : undefined;
  if (!theirs && launch) return { ...presetOf(kept.id, launch), shown };
  const whole = theirs !== undefined && sameWords(theirs.shown.target, kept.target);
  const given = theirs ? configNames : [];
  const names = kept.names.filter((name) => !given.includes(name));
  const entry = keptEntry({ ...kept, names, target: whole ? withoutWords(kept.target) : kept.target }, environment);
  const secret = environment.MCP_INSPECT_CLIENT_SECRET;
  const filled = fill(entry, {
    environment,
    cwd,
    inputs: new Map(secret ? [['client-secret', secret]] : []),
    predefined: new Map(kept.from ? [] : literals(kept.target)),
  });
  return combined(shown, { own: presetOfServer(filled, shown), theirs, whole, without: kept.from?.without ?? [] });
}

function shownOf({
  id,
  target,
  serverName,
  names,
  policy,
  protocol,
  from,
  lastUsed,
  unopened,
  pinned,
}: KeptServer): ConfiguredServer {
  return {
    id,
    origin: 'kept',
    ...(from?.host !== undefined && { host: from.host }),
    source: from?.path ?? '',
    target,
    ...(serverName !== undefined && { name: serverName }),
    envNames: names,
    policy,
    placeholders: findPlaceholders(wordsOf(target)),
    protocol,
    lastUsed,
    ...(unopened && { unopened }),
    ...(pinned && { pinned }),
  };
}

interface Values {
  /** Values from our environment, and inputs for those that it lacks. */
  readonly own: Preset;
  readonly theirs: Preset | undefined;
  /** The command or URL is that of the config. */
  readonly whole: boolean;
  readonly without: readonly string[];
}

function combined(shown: ConfiguredServer, { own, theirs, whole, without }: Values): Preset {
  const inputs = [...(theirs?.shown.inputs ?? []), ...(own.shown.inputs ?? [])];
  const of = whole && theirs ? theirs : own;
  const { problem } = of.shown;
  const cwd = shown.target.transport === 'stdio' ? shown.target.cwd : undefined;
  const moved = of === theirs && !sameCommand(theirs.shown.target, shown.target) && { cwd };
  const env = Object.entries(theirs?.env ?? {}).filter(([name]) => !without.includes(name));
  const clientSecret = theirs?.clientSecret ?? own.clientSecret;
  return {
    shown: { ...shown, ...(inputs.length > 0 && { inputs }), ...(problem !== undefined && { problem }) },
    ...(of.filled && { filled: { ...of.filled, ...moved } }),
    ...(of.filledUrl !== undefined && { filledUrl: of.filledUrl }),
    ...(of.filledClient && { filledClient: of.filledClient }),
    ...(clientSecret !== undefined && { clientSecret }),
    env: { ...Object.fromEntries(env), ...own.env },
    secrets: [...(theirs?.secrets ?? []), ...(own.secrets ?? [])],
    ...((own.complete || theirs?.complete) && {
      complete: async (answers: ReadonlyMap<string, string>) =>
        combined(shown, {
          own: (await own.complete?.(answers)) ?? own,
          theirs: (await theirs?.complete?.(answers)) ?? theirs,
          whole,
          without,
        }),
    }),
  };
}

/** Returns the server as a config would write it, with placeholders for its values. */
export function keptEntry(
  { target, names, clientSecret }: Pick<KeptServer, 'target' | 'names' | 'clientSecret'>,
  environment: Environment,
): ConfigEntry {
  const about = target.transport === 'stdio' ? 'Environment variable of the server' : 'Header of the server';
  const inputs = new Map<string, ConfigInput>();
  const asked = (id: string, description: string): string => {
    inputs.set(id, { id, description, secret: true });
    return `\${input:${id}}`;
  };
  for (const word of findPlaceholders(wordsOf(target))) {
    if (word.startsWith('input:')) asked(word.slice('input:'.length), 'Not stored, because it looks like a secret');
  }
  const name = target.name ?? '';
  if (target.transport === 'stdio') {
    const env = names.map((key) => [key, Object.hasOwn(environment, key) ? `\${env:${key}}` : asked(key, about)]);
    return {
      name,
      target: { ...target, env: Object.fromEntries(env) },
      placeholders: [],
      inputs: [...inputs.values()],
    };
  }
  const headers = Object.fromEntries(names.map((key) => [key, asked(key, about)]));
  const client = clientSecret && {
    client: { ...target.client, clientSecret: asked('client-secret', 'Secret of the OAuth client') },
  };
  return { name, target: { ...target, headers, ...client }, placeholders: [], inputs: [...inputs.values()] };
}

/** The `${…}` that somebody typed for no host to fill in. */
function literals(target: Target): readonly (readonly [string, string])[] {
  const names = findPlaceholders(wordsOf(target)).filter((name) => !name.startsWith('input:'));
  return names.map((name) => [name, `\${${name}}`]);
}

function wordsOf(target: Target): readonly string[] {
  return target.transport === 'stdio' ? [target.command, ...target.args, target.cwd ?? ''] : [target.url];
}

/** Returns a target without the words that its config fills in. */
function withoutWords(target: Target): Target {
  return target.transport === 'stdio' ? { transport: 'stdio', command: 'x', args: [] } : { ...target, url: 'http://x' };
}

/** Compares commands without their directories: that of a config is often left to the host. */
function sameWords(one: Target, other: Target): boolean {
  const bare = (target: Target): Target => (target.transport === 'stdio' ? { ...target, cwd: undefined } : target);
  return sameCommand(bare(one), bare(other));
}
