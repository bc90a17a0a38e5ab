import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { quote } from 'shlex';
import { ConnectionError } from '@/lib/transports/transport';
import type { ConfiguredServer } from '@/lib/wire/api';
import type { StdioTarget, Target } from '@/lib/wire/command';
import type { EnvironmentNames, ProtocolChoice } from '@/lib/wire/lifecycle';
import { serverEnvironment } from '../process/environment';

/** A server from argv, the demo or a config, with what only the proxy may know of it. */
export interface Preset {
  readonly shown: ConfiguredServer;
  /** What really runs, where `shown` has placeholders: their values may be secrets. */
  readonly filled?: Pick<StdioTarget, 'command' | 'args' | 'cwd'>;
  /** Values of the named extras. */
  readonly env: Readonly<Record<string, string>>;
  /** `shell` for a command that was typed into the user's own shell. */
  readonly policy: EnvironmentNames['policy'];
}

/** A stdio server, ready to be started. Holds secrets: never shown, logged or sent. */
export interface Launch {
  readonly name: string;
  /** The command line as people may see it, quoted as a shell would need it. */
  readonly title: string;
  /** The command as people may see it: placeholders of a config are not filled. */
  readonly shown: Pick<StdioTarget, 'command' | 'args'>;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly environment: EnvironmentNames;
  readonly protocol: ProtocolChoice;
}

/**
 * What starting `target` means here. A target made from a preset gets the preset's environment values, but the user's whole
 * shell environment only while it is the very command that was typed there.
 * Throws ConnectionError for what can't be started.
 */
export function resolveLaunch(target: Target, protocol: ProtocolChoice, presets: readonly Preset[]): Launch {
  if (target.transport !== 'stdio') {
    throw new ConnectionError({
      code: 'transport-unsupported',
      message: 'This version inspects stdio servers only, and this one is reached by URL.',
      advice: 'Give the command that starts the server over stdio.',
    });
  }
  const preset = presets.find((candidate) => candidate.shown.id === target.base);
  const extras = new Map(Object.entries(preset?.env ?? {}));
  for (const [name, value] of Object.entries(target.env ?? {})) {
    if (value === null) extras.delete(name);
    else extras.set(name, value);
  }
  const same = preset !== undefined && sameCommand(preset.shown.target, target);
  const policy = same ? preset.policy : 'allowlist';
  const { command, args, cwd } = (same && preset.filled) || target;
  const { env, names } = serverEnvironment({ policy, own: process.env, extras: Object.fromEntries(extras) });
  return {
    name: target.name || nameOf(target),
    title: [target.command, ...target.args].map((word) => quote(word)).join(' '),
    shown: { command: target.command, args: target.args },
    command,
    args,
    cwd: resolve(expandHome(cwd ?? '.')),
    env,
    environment: names,
    protocol,
  };
}

function sameCommand(preset: Target, target: StdioTarget): boolean {
  return (
    preset.transport === 'stdio' &&
    preset.command === target.command &&
    preset.cwd === target.cwd &&
    preset.args.length === target.args.length &&
    preset.args.every((arg, index) => arg === target.args[index])
  );
}

function expandHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? homedir() + path.slice(1) : path;
}

/** Programs that run another one: the name is in their arguments. */
const RUNNERS = /^(node|npx|bunx?|deno|python[\d.]*|uvx?|pnpm|yarn|npm|tsx|ruby|java|docker|sh|bash)(\.exe|\.cmd)?$/;

/** A short name for people: the script or package that runs, not the program that runs it. */
function nameOf({ command, args }: StdioTarget): string {
  const program = lastSegment(command);
  const word = RUNNERS.test(program)
    ? args.find((arg) => !arg.startsWith('-') && !/^(run|exec|dlx|x)$/.test(arg))
    : undefined;
  return (word && lastSegment(word)) || program;
}

function lastSegment(path: string): string {
  return path.split(/[/\\]/).pop() || path;
}
