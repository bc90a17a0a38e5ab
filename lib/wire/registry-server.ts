import { isObject, type JsonObject, own, textOrJson } from '@/lib/json/value';

// server.json of the MCP registry: where a server's packages and remote addresses are, and what has to be filled in.

/** A config as hosts have it: servers by name, and the inputs that they ask for. */
export interface MadeConfig {
  readonly mcpServers: JsonObject;
  readonly inputs: readonly JsonObject[];
}

/** Packages and remotes of one file that are read. Real files have a few. */
const MOST_SERVERS = 50;

/** Returns true for the content of a server.json, or for an answer of the registry, which wraps it in `server`. */
export function isRegistryServer(json: JsonObject): boolean {
  const server = unwrapped(json);
  return (
    typeof own(server, 'name') === 'string' && (listIn(server, 'packages') ?? listIn(server, 'remotes')) !== undefined
  );
}

function unwrapped(json: JsonObject): JsonObject {
  const server = own(json, 'server');
  return isObject(server) && own(json, 'packages') === undefined ? server : json;
}

/** Makes a server of each package and remote. Variables become inputs. */
export function configOfRegistryServer(json: JsonObject): MadeConfig {
  const server = unwrapped(json);
  const base = textOrJson(own(server, 'name')).split('/').at(-1)!;
  const inputs = new Inputs();
  const made = [
    ...(listIn(server, 'packages') ?? []).map((item) => packageServer(item, inputs)),
    ...(listIn(server, 'remotes') ?? []).map((item) => ({ kind: 'remote', entry: remoteServer(item, inputs) })),
  ].slice(0, MOST_SERVERS);
  const names = new Set<string>();
  const entries = made.map(({ kind, entry }): [string, JsonObject] => {
    const wished = made.length === 1 ? base : `${base} ${kind}`;
    let name = wished;
    for (let count = 2; names.has(name); count++) name = `${wished} ${count}`;
    names.add(name);
    return [name, entry];
  });
  return { mcpServers: Object.fromEntries(entries), inputs: inputs.all };
}

interface MadeServer {
  readonly kind: string;
  readonly entry: JsonObject;
}

function listIn(object: JsonObject, name: string): readonly JsonObject[] | undefined {
  const value = own(object, name);
  return Array.isArray(value) && value.length > 0 ? value.filter(isObject) : undefined;
}

/** Returns a member by its name, or by the name that it had in schemas before 2025-09. */
function member(object: JsonObject, name: string): unknown {
  return (
    own(object, name) ??
    own(
      object,
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    )
  );
}

function textIn(object: JsonObject, name: string): string {
  const value = member(object, name);
  return typeof value === 'string' ? value : '';
}

/** Collects inputs with ids of their own. */
class Inputs {
  readonly #byId = new Map<string, JsonObject>();

  get all(): readonly JsonObject[] {
    return [...this.#byId.values()];
  }

  /** Returns the placeholder of a value that somebody has to give. */
  ask(wished: string, about: JsonObject): string {
    const name = wished.replace(/[{}$]/g, '').slice(0, 100) || 'value';
    const choices = own(about, 'choices');
    const preset = own(about, 'default');
    const made = {
      type: Array.isArray(choices) ? 'pickString' : 'promptString',
      description: textIn(about, 'description'),
      ...(preset !== undefined && { default: textOrJson(preset) }),
      ...(Array.isArray(choices) && { options: choices.map(textOrJson) }),
      ...(member(about, 'isSecret') === true && { password: true }),
      ...(isOptional(about) && { optional: true }),
    };
    let id = name;
    const differs = (known: JsonObject | undefined): boolean =>
      known !== undefined && JSON.stringify(known) !== JSON.stringify({ id, ...made });
    for (let count = 2; differs(this.#byId.get(id)); count++) id = `${name} ${count}`;
    this.#byId.set(id, { id, ...made });
    return `\${input:${id}}`;
  }
}

/** Replaces `{name}` in a template by the placeholders of its variables. Other braces stay. */
function filledTemplate(template: string, variables: unknown, inputs: Inputs): string {
  const known = isObject(variables) ? variables : {};
  // A `$` before a brace would make a placeholder that nobody declared.
  return template.replace(/\$?\{([A-Za-z_][\w-]*)\}/g, (whole, name: string) => {
    const variable = own(known, name);
    return isObject(variable) ? inputText(name, variable, inputs) : whole;
  });
}

/** Returns the text of an input, fixed or with a placeholder. */
function inputText(name: string, about: JsonObject, inputs: Inputs): string {
  const fixed = own(about, 'value');
  return typeof fixed === 'string' ? filledTemplate(fixed, own(about, 'variables'), inputs) : inputs.ask(name, about);
}

/** Returns true for a value that nobody needs to give. */
function isOptional(about: JsonObject): boolean {
  const isFixed = typeof own(about, 'value') === 'string' || own(about, 'default') !== undefined;
  return !isFixed && member(about, 'isRequired') !== true;
}

/** Returns variables or headers by name. */
function namedValues(list: readonly JsonObject[] | undefined, inputs: Inputs): JsonObject {
  const values = (list ?? []).map((about): [string, string] => {
    const name = textIn(about, 'name');
    return [name, inputText(name, about, inputs)];
  });
  return Object.fromEntries(values.filter(([name, value]) => name !== '' && value !== ''));
}

/** Members of an argument that has a value. A flag has none of them. */
const ASKING = ['value', 'default', 'choices', 'valueHint', 'description', 'format', 'placeholder'] as const;

function argumentsOf(item: JsonObject, name: string, inputs: Inputs): readonly string[] {
  const list = member(item, name);
  return (Array.isArray(list) ? list : []).filter(isObject).flatMap((about) => {
    const flag = own(about, 'type') === 'named' ? textIn(about, 'name') : '';
    if (flag !== '' && ASKING.every((name) => own(about, name) === undefined)) {
      return member(about, 'isRequired') === true ? [flag] : [];
    }
    // An option and its value are two words, which can't be left out together.
    if (flag !== '' && !flag.endsWith('=') && isOptional(about)) return [];
    const value = inputText(flag.replace(/^-+/, '') || textIn(about, 'valueHint') || 'argument', about, inputs);
    if (flag === '' || value === '') return value === '' ? [] : [value];
    return flag.endsWith('=') ? [`${flag}${value}`] : [flag, value];
  });
}

/** How a package of each registry is run: the program, its arguments, and the package with its version. */
const RUNNERS: Readonly<
  Record<string, { readonly command: string; readonly args: readonly string[]; readonly join: string }>
> = {
  npm: { command: 'npx', args: ['-y'], join: '@' },
  pypi: { command: 'uvx', args: [], join: '==' },
  nuget: { command: 'dnx', args: ['--yes'], join: '@' },
  oci: { command: 'docker', args: ['run', '-i', '--rm'], join: ':' },
};

/** Makes a server that runs a package, or that reaches it where it listens. */
function packageServer(item: JsonObject, inputs: Inputs): MadeServer {
  const kind = textIn(item, 'registryType') || textIn(item, 'registryName');
  const runner = Object.hasOwn(RUNNERS, kind) ? RUNNERS[kind] : undefined;
  const identifier = textIn(item, 'identifier') || textIn(item, 'name');
  const transport = own(item, 'transport');
  if (isObject(transport) && textIn(transport, 'type') !== 'stdio' && textIn(transport, 'url') !== '') {
    // Somebody has to start it.
    return { kind: `${kind} at its URL`, entry: remoteServer(transport, inputs) };
  }
  // An entry without a command says why it can't run.
  if (!runner || identifier === '') return { kind: kind || 'package', entry: { command: '' } };
  const env = namedValues(listIn(item, 'environmentVariables') ?? listIn(item, 'environment_variables'), inputs);
  const runtime = argumentsOf(item, 'runtimeArguments', inputs);
  const version = textIn(item, 'version');
  const hint = textIn(item, 'runtimeHint');
  const tag = version === '' || /[@:]/.test(identifier.split('/').at(-1)!) ? '' : `${runner.join}${version}`;
  return {
    kind,
    entry: {
      command: hint === '' ? runner.command : hint,
      args: [
        ...(hint === '' || hint === runner.command ? runner.args.filter((arg) => !runtime.includes(arg)) : []),
        ...runtime,
        // A container gets only the variables that it is given by name.
        ...(kind === 'oci' ? Object.keys(env).flatMap((name) => ['-e', name]) : []),
        `${identifier}${tag}`,
        ...argumentsOf(item, 'packageArguments', inputs),
      ],
      env,
    },
  };
}

function remoteServer(item: JsonObject, inputs: Inputs): JsonObject {
  return {
    ...(textIn(item, 'type') === 'sse' && { type: 'sse' }),
    url: filledTemplate(textIn(item, 'url'), own(item, 'variables'), inputs),
    headers: namedValues(listIn(item, 'headers'), inputs),
  };
}
