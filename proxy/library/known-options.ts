import { isObject, own } from '@/lib/json/value';
import { suggestion } from '@/proxy/cli/closest';
import { usageError } from '@/proxy/cli/exit-code';
import type { CommandTarget, ConfigTarget, InspectOptions, ReplayOptions, UrlTarget } from './api';

/** Every name that a type has. The compiler refuses a list with more or fewer. */
export type Names<T> = Readonly<Record<keyof T, true>>;

export const CLIENT = { clientInfo: true, capabilities: true, meta: true } as const;
export const ANSWERS = { sampling: true, elicitation: true, roots: true } as const;
export const CONNECTION = { protocol: true, timeoutMs: true, signal: true, allowLinkLocal: true } as const;

/** The options of the core's functions. */
export const OPTION_NAMES = {
  inspect: { ...CLIENT, ...ANSWERS, ...CONNECTION, logLevel: true } satisfies Names<InspectOptions>,
  replay: { port: true, onMiss: true, pace: true } satisfies Names<ReplayOptions>,
};

const TARGET_NAMES = {
  command: { command: true, args: true, env: true, cleanEnv: true, cwd: true } satisfies Names<CommandTarget>,
  url: { url: true, headers: true, transport: true, tls: true } satisfies Names<UrlTarget>,
  server: { server: true, config: true, inputs: true, env: true } satisfies Names<ConfigTarget>,
};

/** Throws an ExitError for a name that is not known. `what` is what it was given as: `option`, `limit` … */
export function requireKnown(given: object, known: Readonly<Record<string, unknown>>, what: string): void {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  const names = Object.keys(known);
  throw usageError(`The ${what} \`${unknown.slice(0, 60)}\` is unknown: ${suggestion(unknown, names)}`);
}

/** Throws an ExitError for options of a function that it does not have. `names`: those of each function. */
export function requireOptions<T extends string>(
  name: T,
  names: Readonly<Record<T, Readonly<Record<string, true>>>>,
  options: unknown,
): void {
  if (!isObject(options)) throw usageError(`The options of \`${name}\` must be an object.`);
  requireKnown(options, names[name], 'option');
  for (const time of ['timeoutMs', 'requestTimeoutMs']) {
    const ms = own(options, time);
    if (ms !== undefined && !(typeof ms === 'number' && ms > 0))
      throw usageError(`\`${time}\` must be a number above 0.`);
  }
  if (name !== 'inspect' && own(options, 'protocol') === 'none')
    throw usageError(`\`${name}\` needs the handshake: remove \`protocol\`, or use a session of \`inspect\`.`);
}

/** Throws an ExitError for a member of a target that its kind does not have. */
export function requireTarget(target: unknown): void {
  if (!isObject(target)) {
    throw usageError('The target must be an object: write `{ command, args }`, `{ url }` or `{ server }`.');
  }
  const kind = (['command', 'url', 'server'] as const).find((name) => name in target);
  if (kind) {
    requireKnown(target, TARGET_NAMES[kind], 'option');
    const isText = typeof target[kind] === 'string' || target[kind] instanceof URL;
    if (!isText) throw usageError(`The \`${kind}\` of the target must be a string.`);
    const args = own(target, 'args') ?? [];
    const areTexts = Array.isArray(args) && args.every((word) => typeof word === 'string');
    if (!areTexts) throw usageError('The `args` of the target must be an array of strings.');
  } else requireKnown(target, { ...TARGET_NAMES.command, ...TARGET_NAMES.url, ...TARGET_NAMES.server }, 'option');
}
