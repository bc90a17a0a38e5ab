import { isObject, type JsonObject, own } from '@/lib/json/value';

/** Converts an entry of a host to the form that most hosts use. undefined: the host does not start a server for it. */
export type ConvertEntry = (entry: JsonObject) => JsonObject | undefined;

/** Codex takes tokens, headers and variables from its environment, by name. https://developers.openai.com/codex/mcp */
export const fromCodex: ConvertEntry = (entry) => {
  const token = own(entry, 'bearer_token_env_var');
  const inEnvironment = Object.entries(objectAt(entry, 'env_http_headers'));
  const forwarded = listAt(entry, 'env_vars').map((one) => (isObject(one) ? own(one, 'name') : one));
  return {
    ...entry,
    headers: {
      ...objectAt(entry, 'http_headers'),
      ...Object.fromEntries(inEnvironment.map(([header, name]) => [header, placeholder(String(name))])),
      ...(typeof token === 'string' && { Authorization: `Bearer ${placeholder(token)}` }),
    },
    // Codex leaves out a variable that is not set.
    env: { ...variables(forwarded, ':-'), ...objectAt(entry, 'env') },
  };
};

/** Zed has had the command as an object. An extension's own entry has only settings. https://zed.dev/docs/ai/mcp */
export const fromZed: ConvertEntry = (entry) => {
  const command = own(entry, 'command');
  if (command === undefined && own(entry, 'url') === undefined) return undefined;
  return isObject(command) ? { ...entry, ...command, command: own(command, 'path') } : entry;
};

/**
 * Goose’s other types run inside Goose. The values of `env_keys` are in its keyring.
 * https://goose-docs.ai/docs/guides/config-files
 */
export const fromGoose: ConvertEntry = (entry) => {
  const type = own(entry, 'type');
  const env = { ...variables(listAt(entry, 'env_keys')), ...objectAt(entry, 'envs') };
  if (type === 'stdio') return { ...entry, command: own(entry, 'cmd'), env };
  if (type === 'streamable_http') return { ...entry, type: 'http', url: own(entry, 'uri') };
  return type === 'sse' ? { ...entry, url: own(entry, 'uri') } : undefined;
};

/** Opencode has the command and its arguments in one list. https://opencode.ai/docs/mcp-servers */
export const fromOpencode: ConvertEntry = (entry) => {
  const [command, ...args] = listAt(entry, 'command');
  const program = command === undefined ? {} : { command, args, env: objectAt(entry, 'environment') };
  return withTexts({ ...entry, ...program }, (text) =>
    text.replace(/\{((?:env|file):[^{}$]+)\}/g, (_, name: string) => placeholder(name)),
  );
};

/** Continue: https://docs.continue.dev/reference */
export const fromContinue: ConvertEntry = (entry) => {
  const { headers } = objectAt(entry, 'requestOptions');
  const all = { ...entry, ...(isObject(headers) && { headers }) };
  return withTexts(all, (text) =>
    text.replace(/\$\{\{\s*secrets\.([\w-]+)\s*\}\}/g, (_, name: string) => placeholder(name)),
  );
};

/** Gemini: https://geminicli.com/docs/reference/configuration */
export const fromGemini: ConvertEntry = (entry) =>
  withTexts(entry, (text) => text.replace(/\$([A-Za-z_]\w*)/g, (_, name: string) => placeholder(name)));

/** Warp: https://docs.warp.dev/agent-platform/capabilities/mcp */
export const fromWarp: ConvertEntry = (entry) => {
  const cwd = own(entry, 'working_directory');
  return typeof cwd === 'string' ? { ...entry, cwd } : entry;
};

function placeholder(name: string): string {
  return `\${${name}}`;
}

/** Maps each name to the placeholder of a variable. `or` ends the placeholder. */
function variables(names: readonly unknown[], or = ''): JsonObject {
  const known = names.filter((name) => typeof name === 'string');
  return Object.fromEntries(known.map((name) => [name, placeholder(name + or)]));
}

function objectAt(entry: JsonObject, key: string): JsonObject {
  const value = own(entry, key);
  return isObject(value) ? value : {};
}

function listAt(entry: JsonObject, key: string): readonly unknown[] {
  const value = own(entry, key);
  return Array.isArray(value) ? value : [];
}

/** Replaces strings in an entry, in its lists and in its objects. Nothing that we use lies deeper. */
function withTexts(entry: JsonObject, replace: (text: string) => string): JsonObject {
  const replaced = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') return replace(value);
    if (depth === 0) return value;
    if (Array.isArray(value)) return value.map((one) => replaced(one, depth - 1));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replaced(one, depth - 1)]));
  };
  return replaced(entry, 2) as JsonObject;
}
