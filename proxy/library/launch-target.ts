import { headerProblem } from '@/lib/wire/header-fields';
import { PROTOCOL_CHOICES } from '@/lib/wire/lifecycle';
import { usageError } from '@/proxy/cli/exit-code';
import type { ServerOptions } from '@/proxy/cli/server-options';
import { findLaunch } from '@/proxy/commands/headless/on-server';
import type { Launch } from '@/proxy/connection/launch';
import type { InspectOptions, Target, UrlTarget } from './api';
import { requireTarget } from './known-options';

/** The installed package. */
export interface OwnPackage {
  /** Folder of the bin. */
  readonly home: string;
  readonly version: string;
}

type LaunchOptions = Pick<InspectOptions, 'protocol' | 'allowLinkLocal'>;

/** Reads a target. Throws an ExitError that says what is wrong with it. */
export function serverOptionsOf(
  target: Target,
  { protocol = 'auto', allowLinkLocal = false }: LaunchOptions,
): ServerOptions {
  if (!PROTOCOL_CHOICES.includes(protocol)) {
    throw usageError(`There is no protocol version \`${protocol}\`: choose from ${PROTOCOL_CHOICES.join(', ')}.`);
  }
  requireTarget(target);
  return {
    demo: false,
    protocol,
    env: new Map(),
    inputs: new Map(),
    headers: new Map(),
    client: {},
    tls: {},
    allowLinkLocal,
    transport: 'auto',
    cleanEnv: false,
    keepSignIns: false,
    otel: false,
    intercept: [],
    ...namedBy(target),
  };
}

function namedBy(target: Target): Partial<ServerOptions> {
  if ('command' in target) {
    const { command, args = [], env = {}, cleanEnv = false, cwd } = target;
    if (command === '') throw usageError('`command` is empty: name the program that starts the server.');
    return {
      target: { kind: 'command', command, args },
      env: new Map(Object.entries(env)),
      cleanEnv,
      ...(cwd !== undefined && { cwd }),
    };
  }
  if ('url' in target) return urlOptions(target);
  if (typeof target?.server !== 'string') throw usageError('Name a server: give `command`, `url` or `server`.');
  const { server, config, inputs = {}, env = {} } = target;
  return {
    server,
    inputs: new Map(Object.entries(inputs)),
    env: new Map(Object.entries(env)),
    ...(config !== undefined && { config }),
  };
}

function urlOptions({ url, headers = {}, transport = 'auto', tls }: UrlTarget): Partial<ServerOptions> {
  const text = String(url);
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    throw usageError(`\`${text}\` is not a URL of a server: give one that begins with http:// or https://.`);
  }
  for (const [name, value] of Object.entries(headers)) {
    const problem = headerProblem(name, value);
    if (problem !== undefined) throw usageError(problem);
  }
  const { insecure, ...files } = tls ?? {};
  return {
    target: { kind: 'url', url: text },
    headers: new Map(Object.entries(headers)),
    transport,
    tls: { ...files, ...(insecure && { insecure }) },
  };
}

/**
 * Looks the server up. Asks nobody and prints nothing: the author of the calling program chose the server. Rejects with
 * an ExitError or a Failure.
 */
export function launchOf(options: ServerOptions, home: string): Promise<Launch> {
  return findLaunch(options, home, options.protocol, { ask: undefined, printNote: () => {} }, true);
}
