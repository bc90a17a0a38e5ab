import type { EnvironmentNames } from '@/lib/wire/lifecycle';

/** What MCP hosts hand to a server they start; the same six and twelve names as the official SDK. */
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

/** Variables with this prefix configure us and are no business of the server's. */
const OURS = 'MCP_INSPECT_';

/** What {@link serverEnvironment} decides from. */
interface EnvironmentRequest {
  readonly policy: EnvironmentNames['policy'];
  /** The proxy's own environment. */
  readonly own: Readonly<NodeJS.ProcessEnv>;
  /** Named by the user or a config: a string sets, null takes away. These win over what is inherited. */
  readonly extras: Readonly<Record<string, string | null>>;
  /** Windows has a list of its own and compares names without case. */
  readonly platform?: NodeJS.Platform;
}

/**
 * The environment a server gets, and the names in it for people to see; values stay here. Pure. Nothing of `own` that
 * starts with `MCP_INSPECT_` is ever handed on, under either policy; an extra so named is the user's own wish.
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
    // An exported shell function is code; hosts leave those out.
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
