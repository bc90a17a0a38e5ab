import { isObject, type JsonObject, own } from '@/lib/json/value';
import { EXTENSION } from './protocol-names';

/**
 * The capabilities that a client declares, as plain data in the shape of the protocol. Each member present is switched
 * on. `capabilitiesFor` in lib/mcp leaves out what a version does not have.
 */
export interface ClientCapabilities {
  readonly sampling?: { readonly tools?: JsonObject; readonly context?: JsonObject };
  /** Without `form` and `url`, forms. */
  readonly elicitation?: { readonly form?: JsonObject; readonly url?: JsonObject };
  readonly roots?: { readonly listChanged?: boolean };
  /** Tasks of 2025-11-25: requests of the server that the client may answer later. */
  readonly tasks?: {
    readonly list?: JsonObject;
    readonly cancel?: JsonObject;
    readonly requests?: {
      readonly sampling?: { readonly createMessage?: JsonObject };
      readonly elicitation?: { readonly create?: JsonObject };
    };
  };
  /** Settings by the name of the extension. */
  readonly extensions?: Readonly<Record<string, JsonObject>>;
  readonly experimental?: Readonly<Record<string, JsonObject>>;
}

/** Everything that mcp-inspect can do for a server. */
export const SUPPORTED_CAPABILITIES: ClientCapabilities = {
  roots: { listChanged: true },
  sampling: { context: {}, tools: {} },
  elicitation: { form: {}, url: {} },
  tasks: { list: {}, cancel: {}, requests: { sampling: { createMessage: {} }, elicitation: { create: {} } } },
  extensions: { [EXTENSION.tasks]: {} },
};

/** Everything that a server can make use of, so that it hides nothing. The page does not show MCP Apps yet. */
export const ALL_CAPABILITIES: ClientCapabilities = {
  ...SUPPORTED_CAPABILITIES,
  extensions: { ...SUPPORTED_CAPABILITIES.extensions, [EXTENSION.ui]: { mimeTypes: ['text/html;profile=mcp-app'] } },
};

/** Names of the members of {@link ClientCapabilities}. */
const CAPABILITY_NAMES = [
  'sampling',
  'elicitation',
  'roots',
  'tasks',
  'extensions',
  'experimental',
] as const satisfies readonly (keyof ClientCapabilities)[];

/** Objects inside of capabilities. Every other value may be anything. */
const OBJECTS: readonly (readonly string[])[] = [
  ...CAPABILITY_NAMES.map((name) => [name]),
  ...['tools', 'context'].map((name) => ['sampling', name]),
  ...['form', 'url'].map((name) => ['elicitation', name]),
  ...['list', 'cancel', 'requests'].map((name) => ['tasks', name]),
  ['tasks', 'requests', 'sampling'],
  ['tasks', 'requests', 'sampling', 'createMessage'],
  ['tasks', 'requests', 'elicitation'],
  ['tasks', 'requests', 'elicitation', 'create'],
];

/** Returns why a value is not {@link ClientCapabilities}, with advice; undefined if it is. */
export function capabilitiesProblem(value: unknown): string | undefined {
  if (!isObject(value)) return 'Capabilities must be a JSON object, such as {"sampling":{}}.';
  const unknown = Object.keys(value).find((name) => !(CAPABILITY_NAMES as readonly string[]).includes(name));
  if (unknown !== undefined) {
    const most = CAPABILITY_NAMES.join(', ');
    return `There is no client capability ${quoted(unknown)}: choose from ${most}, or put it into "experimental".`;
  }
  const named = ['extensions', 'experimental'].flatMap((name) => {
    const settings = own(value, name);
    return isObject(settings) ? Object.keys(settings).map((key) => [name, key]) : [];
  });
  const wrong = [...OBJECTS, ...named].find((path) => {
    const found = at(value, path);
    return found !== undefined && !isObject(found);
  });
  if (wrong === undefined) return undefined;
  return `${quoted(wrong.join('.'))} must be an object: write {} to switch it on, and leave it out to switch it off.`;
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => (isObject(inner) ? own(inner, name) : undefined), value);
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}
