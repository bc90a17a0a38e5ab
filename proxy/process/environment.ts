import { win32 } from 'node:path';
import type { EnvironmentNames } from '@/lib/wire/lifecycle';
import { MODEL_KEY_VARIABLES } from '@/lib/wire/model-key-variables';

interface EnvironmentRequest {
  readonly policy: EnvironmentNames['policy'];
  /** The proxy's own environment. */
  readonly own: Readonly<NodeJS.ProcessEnv>;
  /** Variables that the user or a config names: a string sets one, null removes it. They win over inherited ones. */
  readonly extras: Readonly<Record<string, string | null>>;
  /** Windows has its own list and ignores the case of names. */
  readonly platform?: NodeJS.Platform;
}

/**
 * Returns the environment for a server, and the names in it without values for the log. Pure. Variables of `own` that
 * start with `MCP_INSPECT_` are never passed on, but extras with such a name are.
 */
export function serverEnvironment(request: EnvironmentRequest): { env: NodeJS.ProcessEnv; names: EnvironmentNames } {
  const { policy, own, extras, platform = process.platform } = request;
  const windows = platform === 'win32';
  const sameName = (name: string): string => (windows ? name.toUpperCase() : name);
  const allowed = new Set<string>(windows ? ALLOWLIST.win32 : ALLOWLIST.posix);
  const named = new Set(Object.keys(extras).map(sameName));

  // No prototype: spawn() copies inherited keys too, and `__proto__` is a name like any other.
  const env: NodeJS.ProcessEnv = Object.create(null);
  const inherited: string[] = [];
  for (const [name, value] of Object.entries(own)) {
    const key = sameName(name);
    if (value === undefined || key.startsWith(OURS) || named.has(key)) continue;
    // Exported shell functions are code, which hosts don't pass on.
    if (policy === 'allowlist' && (!allowed.has(key) || value.startsWith('()'))) continue;
    env[name] = value;
    inherited.push(name);
  }
  const added: string[] = [];
  for (const [name, value] of Object.entries(extras)) {
    if (value === null) continue;
    env[name] = value;
    added.push(name);
  }
  return { env, names: { policy, inherited: inherited.sort(), added: added.sort() } };
}

/**
 * Returns our own environment for a program that is not the server: a browser, a build, a test suite. It needs no key
 * of a model.
 */
export function helperEnvironment(own: Readonly<NodeJS.ProcessEnv>): NodeJS.ProcessEnv {
  const { env } = serverEnvironment({ policy: 'shell', own, extras: {} });
  for (const name of Object.keys(env)) if (MODEL_KEY_VARIABLES.has(name.toUpperCase())) delete env[name];
  return env;
}

/** Returns the path of a program of Windows. A bare name would be looked up in the working directory first. */
export function windowsProgram(name: string, environment: Readonly<NodeJS.ProcessEnv> = process.env): string {
  return win32.join(environment.SystemRoot || 'C:\\Windows', 'System32', name);
}

/** The variables that MCP hosts pass to a server, as in the official SDK. */
const ALLOWLIST = {
  posix: ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'],
  win32: [
    'APPDATA',
    'HOMEDRIVE',
    'HOMEPATH',
    'LOCALAPPDATA',
    'PATH',
    'PROCESSOR_ARCHITECTURE',
    'PROGRAMFILES',
    'SYSTEMDRIVE',
    'SYSTEMROOT',
    'TEMP',
    'USERNAME',
    'USERPROFILE',
  ],
} as const;

/** Prefix of our own settings, which servers must not see. */
const OURS = 'MCP_INSPECT_';
