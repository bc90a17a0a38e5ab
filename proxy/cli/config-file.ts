import { readFileSync } from 'node:fs';
import { splitCredentials } from '@/lib/hub/url-launch';
import type { StdioTarget, Target } from '@/lib/wire/command';
import { isUrl } from '@/lib/wire/is-url';
import { parseLooseJson } from '@/lib/wire/loose-json';
import { type ConfigEntry, fillPlaceholders, readServers } from '@/lib/wire/server-config';

/** Variables by name, as in process.env. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A server of a config file. */
export interface ConfigServer {
  readonly name: string;
  /** As written, placeholders and all, without `env` and `headers`: values stay in the proxy. */
  readonly target: Target;
  /** What its command is with the placeholders filled. */
  readonly filled?: Pick<StdioTarget, 'command' | 'args' | 'cwd'>;
  /** What its URL is with the placeholders filled. */
  readonly filledUrl?: string;
  /** Of its client at an authorization server. */
  readonly clientSecret?: string;
  /** Of a server at a URL: its headers. */
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
  const missing = new Set<string>();
  const text = (value: string): string =>
    fillPlaceholders(value, (placeholder) => {
      const known = lookUp(placeholder, environment);
      if (known === undefined) missing.add(placeholder);
      return known;
    });
  const fillAll = (given: StdioTarget['env'] = {}): Record<string, string> =>
    Object.fromEntries(
      Object.entries(given).flatMap(([key, value]) =>
        value === null || overrides.has(key) ? [] : [[key, text(value)]],
      ),
    );
  const result = (written: Target, values: Omit<ConfigServer, 'name' | 'target' | 'problem'>): ConfigServer => {
    const problem = entry.problem ?? (missing.size > 0 ? explainMissing(missing) : undefined);
    return { name, target: written, ...values, ...(problem && { problem }) };
  };
  if (target.transport !== 'stdio') {
    const { headers: written, client, ...bare } = target;
    const { clientSecret, ...said } = client ?? {};
    const filledClient = Object.fromEntries(Object.entries(said).map(([key, value]) => [key, text(value)]));
    const rest = { ...bare, ...(Object.keys(said).length > 0 && { client: filledClient }) };
    const secret = clientSecret !== undefined && { clientSecret: text(clientSecret) };
    const headers = fillAll(written);
    const filledUrl = text(target.url);
    if (!isUrl(filledUrl)) return result(rest, { filledUrl, env: headers, ...secret });
    const { url, authorization } = splitCredentials(filledUrl);
    if (authorization === undefined) return result(rest, { filledUrl, env: headers, ...secret });
    // A password must not be shown, and without it nothing tells what the URL was written as.
    return result(
      { ...rest, url: withoutCredentials(target.url) },
      { filledUrl: url, env: { Authorization: authorization, ...headers }, ...secret },
    );
  }
  const { env: given, command, args, cwd } = target;
  const env = fillAll(given);
  const written: StdioTarget = { transport: 'stdio', name, command, args, ...(cwd !== undefined && { cwd }) };
  const filled = { command: text(command), args: args.map(text), cwd: cwd === undefined ? undefined : text(cwd) };
  return result(written, { filled, env });
}

/** The text of a URL without user and password, placeholders left as they are. */
function withoutCredentials(url: string): string {
  return url.replace(/^([a-z]+:\/\/)[^/?#]*@/i, '$1');
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
