/**
 * The client under test in the conformance suite: a live connection over the proxy's transports, as the page and the
 * command line use it. It uses everything that a server offers once. The suite appends the server's URL to the
 * arguments.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readSkillFiles } from '@/features/skills/lib/check-file';
import { readSkill } from '@/features/skills/lib/skill-entry';
import { parseYaml } from '@/features/skills/lib/whole-yaml';
import { Credentials, type SignInCallbacks } from '@/lib/auth/credentials';
import { launchAs } from '@/lib/hub/url-launch';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { LiveConnection } from '@/lib/mcp/live-connection';
import { systemClock } from '@/lib/wire/clock';
import type { ClientSettings } from '@/lib/wire/connection-settings';
import { PROTOCOL_VERSIONS } from '@/lib/wire/lifecycle';
import { readHeaderParams } from '@/lib/wire/param-headers';
import { EXTENSION } from '@/lib/wire/protocol-names';
import { resolveLaunch, startEvent } from '@/proxy/connection/launch';
import { createTransport } from '@/proxy/connection/transports';
import { Reaper } from '@/proxy/process/reaper';

const VERSION = '0.0.0-conformance';

/** Values that the suite passes in the environment. */
const {
  MCP_CONFORMANCE_CONTEXT = '{}',
  MCP_CONFORMANCE_PROTOCOL_VERSION: wire,
  MCP_CONFORMANCE_SCENARIO: scenario,
} = process.env;
const context = JSON.parse(MCP_CONFORMANCE_CONTEXT) as {
  toolCalls?: { name: string; arguments: JsonObject }[];
  client_id?: string;
  client_secret?: string;
  private_key_pem?: string;
  idp_client_id?: string;
  idp_id_token?: string;
  idp_token_endpoint?: string;
  valid_jwt?: string;
};
const protocol = PROTOCOL_VERSIONS.find((version) => version === wire) ?? 'auto';
const client = {
  ...(context.client_id && { clientId: context.client_id }),
  ...(context.client_secret && { clientSecret: context.client_secret }),
  ...grantSettings(),
  // The only client metadata document that the suite knows. Only this scenario expects it.
  ...(scenario === 'auth/basic-cimd' && { metadataUrl: 'https://conformance-test.local/client-metadata.json' }),
};
const launch = resolveLaunch({ transport: 'auto', url: process.argv.at(-1)!, client }, protocol, []);

/** Returns the settings of the scenarios without a person. Keys and tokens are in files, as a person has them. */
function grantSettings(): ClientSettings {
  const { private_key_pem: key, idp_id_token: idToken, idp_token_endpoint: idp, idp_client_id: idpClientId } = context;
  if (key) return { grant: 'client-credentials', keyFile: secretFile('key.pem', key) };
  if (idToken)
    return { grant: 'enterprise', tokenFile: secretFile('token', idToken), idp: idp!, idpClientId: idpClientId! };
  if (context.valid_jwt) return { grant: 'workload', tokenFile: secretFile('token', context.valid_jwt) };
  return scenario === 'auth/client-credentials-basic' ? { grant: 'client-credentials' } : {};
}

function secretFile(name: string, text: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'mcp-inspect-conformance-key-')), name);
  writeFileSync(path, text, { mode: 0o600 });
  process.on('exit', () => rmSync(dirname(path), { recursive: true, force: true }));
  return path;
}

/** Signs in at once, like a person whose browser follows the redirects. */
const callbacks: SignInCallbacks = {
  redirectUri: async () => 'http://127.0.0.1:6270/oauth/callback',
  async waitForCallback({ url, state }) {
    const answer = await fetch(url, { redirect: 'manual' });
    const back = new URL(answer.headers.get('location') ?? '', url).searchParams;
    if (back.get('state') !== state) throw new Error('The callback belongs to another sign-in: its state differs.');
    return back;
  },
};
const authorization = { store: new Credentials(), signIn: callbacks };

let seq = 0;
const connection = new LiveConnection(
  {
    kind: launch.transport,
    protocol,
    clientInfo: { name: 'mcp-inspect', version: VERSION },
    capabilities: () => ({ elicitation: {} }),
    handlers: new Map([['elicitation/create', acceptDefaults]]),
    readsLists: false,
  },
  {
    clock: systemClock,
    openTransport: (kind, sink) =>
      createTransport(launchAs(launch, kind), {
        sink,
        clock: systemClock,
        reaper: new Reaper(),
        version: VERSION,
        allowLinkLocal: false,
        authorization,
      }),
    append(channel, direction, _flags, _time, source, start, end) {
      console.log(direction === 'to-server' ? '→' : '←', channel, Buffer.from(source.subarray(start, end)).toString());
      return ++seq;
    },
  },
);

/** Accepts a form with its default values, and with true for booleans without one. */
function acceptDefaults(params: unknown): string {
  const schema = isObject(params) ? own(params, 'requestedSchema') : undefined;
  const properties = isObject(schema) ? own(schema, 'properties') : undefined;
  const content = Object.entries(isObject(properties) ? properties : {}).flatMap(([name, property]) => {
    if (!isObject(property)) return [];
    if (Object.hasOwn(property, 'default')) return [[name, property.default]];
    return property.type === 'boolean' ? [[name, true]] : [];
  });
  return JSON.stringify({ action: 'accept', content: Object.fromEntries(content) });
}

/** Returns the entries of a list; none if the server answers with an error. */
async function list(method: string, member: string): Promise<readonly JsonObject[]> {
  const outcome = await connection.request(method, undefined).outcome;
  const items = outcome.kind === 'result' && isObject(outcome.result) ? own(outcome.result, member) : undefined;
  return Array.isArray(items) ? items.filter(isObject) : [];
}

async function ask(method: string, params: object): Promise<unknown> {
  const outcome = await connection.request(method, JSON.stringify(params)).outcome;
  if (outcome.kind !== 'result') throw new Error(`${method}: ${JSON.stringify(outcome)}`);
  return outcome.result;
}

/** Loads each skill as `mcp-inspect read skill:NAME` does: its files are read, and the first that fails ends that. */
async function loadSkills(): Promise<void> {
  const entries = await list('skills/list', 'skills');
  if (entries.length === 0) throw new Error('skills/list returned no skills.');
  // Listing alone must not read files.
  if (scenario === 'sep-2640-client-no-prefetch') return;
  for (const entry of entries) {
    for await (const { uri, problems } of readSkillFiles(readSkill(entry), ask, parseYaml)) {
      console.log(uri, problems.length === 0 ? 'verified' : problems);
    }
  }
}

/** Returns a value for each required argument. */
function requiredArguments(schema: unknown): JsonObject {
  const required = isObject(schema) ? own(schema, 'required') : undefined;
  const properties = isObject(schema) ? own(schema, 'properties') : undefined;
  const values: JsonObject = { string: 'x', integer: 1, number: 1, boolean: true, array: [], object: {} };
  return Object.fromEntries(
    (Array.isArray(required) ? required : []).map((name: string) => {
      const property = isObject(properties) ? own(properties, name) : undefined;
      return [name, values[String(isObject(property) ? property.type : '')] ?? null];
    }),
  );
}

try {
  const { capabilities = {} } = (await connection.open(startEvent(launch, new Date().toISOString()))) ?? {};
  const tools = Object.hasOwn(capabilities, 'tools') ? await list('tools/list', 'tools') : [];
  // This scenario wants to see the schema that we received.
  const echoed = scenario === 'json-schema-2020-12-preservation' && tools.map(({ inputSchema }) => inputSchema)[0];
  const calls =
    context.toolCalls ??
    (echoed ? [{ name: String(tools[1]?.name), arguments: { schema: echoed } }] : undefined) ??
    tools
      .filter(({ inputSchema }) => readHeaderParams(inputSchema).problem === undefined)
      .map(({ name, inputSchema }) => ({ name, arguments: requiredArguments(inputSchema) }));
  for (const call of calls) await ask('tools/call', call);
  if (Object.hasOwn(capabilities, 'resources')) {
    for (const { uri } of await list('resources/list', 'resources')) await ask('resources/read', { uri });
  }
  if (Object.hasOwn(capabilities, 'prompts')) {
    for (const { name } of await list('prompts/list', 'prompts')) await ask('prompts/get', { name });
  }
  const extensions = own(capabilities, 'extensions');
  if (isObject(extensions) && Object.hasOwn(extensions, EXTENSION.skills)) await loadSkills();
  await connection.close('user');
} catch (error) {
  console.error(error);
  await connection.close('user');
  process.exitCode = 1;
}
