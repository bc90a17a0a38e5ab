import { readFileSync } from 'node:fs';
import type { StdioTarget, Target } from '@/lib/wire/command';
import { parseLooseJson } from '@/lib/wire/loose-json';
import { type ConfigEntry, fillPlaceholders, readServers } from '@/lib/wire/server-config';

/** Variables by name, as in process.env. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A server of a config file. */
export interface ConfigServer {
  readonly name: string;
  /** As written, placeholders and all, without `env`: values stay in the proxy. */
  readonly target: Target;
  /** What its command is with the placeholders filled. */
  readonly filled?: Pick<StdioTarget, 'command' | 'args' | 'cwd'>;
  readonly env: Readonly<Record<string, string>>;
  /** Why it can't be connected, and what to do. */
  readonly problem?: string;
}

/** Reads a host's config file. `wrong` is a sentence for people: what is wrong with the file, and what to do. */
export function readConfigFile(
  path: string,
  environment: Environment,
  overrides: ReadonlyMap<string, string>,
): readonly ConfigServer[] | { readonly wrong: string } {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const what = code === 'ENOENT' ? 'There is no config file' : `The config file can’t be read (${code}):`;
    return { wrong: `${what} \`${path}\`: check the path after \`--config\`.` };
  }
  let json: unknown;
  try {
    json = parseLooseJson(text);
  } catch (error) {
    return {
      wrong: `The config file \`${path}\` is not JSON: ${(error as Error).message}. Correct it and start again.`,
    };
  }
  const { servers, problem } = readServers(json);
  if (problem) return { wrong: `The config file \`${path}\` can’t be used. ${problem}` };
  return servers.map((entry) => fill(entry, environment, overrides));
}

/** Fills `${NAME}`, `${env:NAME}` and `${NAME:-default}` from our own environment, as hosts do. */
function fill(entry: ConfigEntry, environment: Environment, overrides: ReadonlyMap<string, string>): ConfigServer {
  const { name, target } = entry;
  if (target.transport !== 'stdio') return { name, target, env: {}, ...(entry.problem && { problem: entry.problem }) };
  const missing = new Set<string>();
  const text = (value: string): string =>
    fillPlaceholders(value, (placeholder) => {
      const known = lookUp(placeholder, environment);
      if (known === undefined) missing.add(placeholder);
      return known;
    });
  const { env: given, command, args, cwd } = target;
  const env = Object.entries(given ?? {}).flatMap(([key, value]) =>
    value === null || overrides.has(key) ? [] : [[key, text(value)] as const],
  );
  const written: StdioTarget = { transport: 'stdio', name, command, args, ...(cwd !== undefined && { cwd }) };
  const filled = { command: text(command), args: args.map(text), cwd: cwd === undefined ? undefined : text(cwd) };
  const problem = entry.problem ?? (missing.size > 0 ? explainMissing(missing) : undefined);
  return { name, target: written, filled, env: Object.fromEntries(env), ...(problem && { problem }) };
}

function lookUp(placeholder: string, environment: Environment): string | undefined {
  if (placeholder.startsWith('input:')) return undefined;
  const bare = placeholder.startsWith('env:') ? placeholder.slice(4) : placeholder;
  const at = bare.indexOf(':-');
  if (at < 0) return variable(bare, environment);
  return variable(bare.slice(0, at), environment) || bare.slice(at + 2);
}

/** Own variables only: `constructor` is a name like any other. */
function variable(name: string, environment: Environment): string | undefined {
  return Object.hasOwn(environment, name) ? environment[name] : undefined;
}

function explainMissing(missing: ReadonlySet<string>): string {
  const names = Array.from(missing, (name) => `\${${name}}`).join(', ');
  return `Its config asks for ${names}, which this shell doesn’t have. Set it before starting, or give \`--env NAME=VALUE\`.`;
}
