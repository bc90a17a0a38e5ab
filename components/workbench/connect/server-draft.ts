import { join } from 'shlex';
import type { StartEvent } from '@/lib/store/state/state';
import type { ConfiguredServer } from '@/lib/wire/api';
import { sameCommand, type Target, type UrlTarget } from '@/lib/wire/command';
import { type Answers, type ConfigInput, givenInputs } from '@/lib/wire/config-inputs';
import {
  CLIENT_FEATURES,
  type ClientFeature,
  type ClientSettings,
  type TlsOptions,
} from '@/lib/wire/connection-settings';
import type { ProtocolChoice } from '@/lib/wire/lifecycle';
import { type PastedServer, type PastedTargets, parseTarget } from '@/lib/wire/target-text';
import { isUrl } from '@/lib/wire/url';

/** TLS of a server about to be added, as typed. Paths are the proxy machine's. */
export interface TlsDraft {
  /** A path on each line. */
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  readonly passphraseEnv: string;
  readonly insecure: boolean;
}

/** Nothing typed: Node's own authorities, and no certificate of ours. */
export const EMPTY_TLS: TlsDraft = { ca: '', cert: '', key: '', passphraseEnv: '', insecure: false };

/** What is known, to be changed. */
export function tlsDraftOf(tls: TlsOptions = {}): TlsDraft {
  return { ...EMPTY_TLS, ...tls, ca: (tls.ca ?? []).join('\n') };
}

/** What to send; {} if nothing was typed. */
export function tlsOfDraft({ ca, cert, key, passphraseEnv, insecure }: TlsDraft): TlsOptions {
  const files = ca.split('\n').map((line) => line.trim());
  const named = files.filter((line) => line !== '');
  return {
    ...(named.length > 0 && { ca: named }),
    ...(cert.trim() !== '' && { cert: cert.trim() }),
    ...(key.trim() !== '' && { key: key.trim() }),
    ...(passphraseEnv.trim() !== '' && { passphraseEnv: passphraseEnv.trim() }),
    ...(insecure && { insecure: true }),
  };
}

/**
 * The draft's TLS after its text changed: what the text says counts, what was typed beside it stays, but for the leave not
 * to verify, which was given for one origin.
 */
function tlsAfter(before: TlsDraft, said: Target | undefined, sameOrigin: boolean): TlsDraft {
  if (said !== undefined && said.transport !== 'stdio' && said.tls) return tlsDraftOf(said.tls);
  return sameOrigin ? before : { ...before, insecure: false };
}

/** One variable that the server gets besides the inherited ones; of a server at a URL, one header. */
export interface EnvironmentRow {
  /** Stable while the row is edited. */
  readonly id: number;
  readonly name: string;
  readonly value: string;
  /** Where the row is from: read in the text, of the draft's base (the proxy has its value), or added by hand. */
  readonly origin: 'text' | 'base' | 'hand';
}

/** What a draft was made from: a configured server or a connection. The proxy knows the values of its variables. */
export type DraftBase = Omit<ConfiguredServer, 'source'>;

/** A server about to be added: what was typed, and what was changed about it since. */
export interface ServerDraft {
  readonly text: string;
  /** Which of the servers in a pasted config. */
  readonly chosen: number;
  readonly cwd: string;
  readonly environment: readonly EnvironmentRow[];
  readonly protocol: ProtocolChoice;
  /** Who talks to a server at a URL. */
  readonly via: 'proxy' | 'direct';
  /** Sent as `Authorization` to a server at a URL; '' for none. */
  readonly bearer: string;
  /** Who we are to the authorization server of one, as typed: '' is nothing. */
  readonly client: Readonly<Record<keyof ClientSettings, string>>;
  /** Of a server at a URL, if another than the text says. */
  readonly transport?: UrlTarget['transport'];
  /** Of a server at a URL. */
  readonly tls: TlsDraft;
  /** To what its config asks for. */
  readonly answers: Answers;
  /** What the server may ask of us. */
  readonly features: readonly ClientFeature[];
  /** In force only while the text starts its program: see {@link baseOf}. */
  readonly base?: DraftBase;
  /** Names of `base` that were taken away. */
  readonly removed: readonly string[];
  readonly nextId: number;
}

const NO_CLIENT = { clientId: '', clientSecret: '', scope: '', metadataUrl: '' };

/** Nothing typed yet. */
export const EMPTY_DRAFT: ServerDraft = {
  text: '',
  chosen: 0,
  cwd: '',
  environment: [],
  protocol: 'auto',
  via: 'proxy',
  bearer: '',
  client: NO_CLIENT,
  tls: EMPTY_TLS,
  answers: new Map(),
  features: CLIENT_FEATURES,
  removed: [],
  nextId: 1,
};

/** What a draft's text means, and which server of it is chosen. */
export function readDraft(draft: ServerDraft): { readonly parsed: PastedTargets; readonly server?: PastedServer } {
  const parsed = parseTarget(draft.text);
  return { parsed, server: parsed.targets[draft.chosen] ?? parsed.targets[0] };
}

/** The base whose values the server gets: none once the text starts another program, which they are no business of. */
export function baseOf(draft: ServerDraft): DraftBase | undefined {
  const { server } = readDraft(draft);
  if (!draft.base || !server) return draft.base;
  return programOf(server.target) === programOf(draft.base.target) ? draft.base : undefined;
}

/** Inputs to ask for before it can be connected: those of a pasted config, or of the base. */
export function inputsOfDraft(draft: ServerDraft): readonly ConfigInput[] {
  return readDraft(draft).server?.inputs ?? baseOf(draft)?.inputs ?? [];
}

function programOf(target: Target): string {
  if (target.transport === 'stdio') return target.command;
  return isUrl(target.url) ? new URL(target.url).origin : target.url;
}

function sameProgram(one: PastedServer | undefined, other: PastedServer | undefined): boolean {
  return one !== undefined && other !== undefined && programOf(one.target) === programOf(other.target);
}

/** Index of the first server in a pasted config that hosts would start; 0 if there is none. */
function firstEnabled(text: string): number {
  return Math.max(
    parseTarget(text).targets.findIndex(({ disabled }) => !disabled),
    0,
  );
}

/** The draft after its text (or the choice in it) changed: what the text says counts, what was added by hand stays. */
export function withText(before: ServerDraft, text: string, chosen = firstEnabled(text)): ServerDraft {
  // Emptying the box is a new start: a base's values must not go to whatever is typed next.
  const draft = {
    ...(text.trim() === '' ? { ...EMPTY_DRAFT, nextId: before.nextId, via: before.via } : before),
    text,
    chosen,
  };
  const { server } = readDraft(draft);
  const base = baseOf(draft);
  const stdio = server?.target.transport === 'stdio' ? server.target : undefined;
  let nextId = draft.nextId;
  const make =
    (origin: EnvironmentRow['origin']) =>
    ([name, value]: readonly [string, string]): EnvironmentRow => ({ id: nextId++, name, value, origin });
  const read = Object.entries((server && extrasOf(server.target)) ?? {}).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  const rows = read.map(make('text'));
  for (const row of draft.environment) {
    const stays = row.origin === 'hand' || (row.origin === 'base' && base !== undefined);
    if (stays && !rows.some(({ name }) => name === row.name)) rows.push(row);
  }
  // The proxy has their values as long as the base is in force, so they must be seen.
  const unseen = (base?.envNames ?? []).filter(
    (name) => !draft.removed.includes(name) && !rows.some((row) => row.name === name),
  );
  rows.push(...unseen.map((name) => [name, ''] as const).map(make('base')));
  const { server: earlier } = readDraft(before);
  const asksTheSame =
    (base !== undefined && base === baseOf(before)) ||
    (server !== undefined && earlier !== undefined && sameCommand(server.target, earlier.target));
  return {
    ...draft,
    // An answer is for one server. Another one may ask under the same name.
    ...(!asksTheSame && { answers: EMPTY_DRAFT.answers }),
    cwd: stdio?.cwd ?? cwdAfter(draft, base, baseOf(before)),
    protocol: server?.protocol ?? draft.protocol,
    client: (server && clientIn(server.target)) ?? draft.client,
    tls: tlsAfter(draft.tls, server?.target, sameProgram(earlier, server)),
    environment: rows,
    nextId,
  };
}

/** What a target says about who we are; undefined if it says nothing. */
function clientIn(target: Target): ServerDraft['client'] | undefined {
  if (target.transport === 'stdio' || target.client === undefined) return undefined;
  return { ...NO_CLIENT, ...target.client };
}

/** Who we are, of a draft; undefined if it doesn't say. */
export function clientOfDraft({ client }: ServerDraft): ClientSettings | undefined {
  const said = Object.entries(client)
    .map(([key, text]) => [key, text.trim()] as const)
    .filter(([, text]) => text !== '');
  return said.length === 0 ? undefined : Object.fromEntries(said);
}

/** What a target names besides itself: variables, or headers. */
function extrasOf(target: Target): Readonly<Record<string, string | null>> | undefined {
  return target.transport === 'stdio' ? target.env : target.headers;
}

/** The directory is the base's own too: it comes and goes with it. */
function cwdAfter({ cwd }: ServerDraft, base: DraftBase | undefined, before: DraftBase | undefined): string {
  if (base?.id === before?.id) return cwd;
  return (base?.target.transport === 'stdio' && base.target.cwd) || '';
}

/** A configured server, to be changed before it is started. Its values stay in the proxy. */
export function draftOfServer({ source: _, ...base }: ConfiguredServer): ServerDraft {
  const { target, envNames, protocol } = base;
  const text = target.transport === 'stdio' ? join([target.command, ...target.args]) : target.url;
  return {
    ...EMPTY_DRAFT,
    text,
    ...(target.transport !== 'stdio' && { transport: target.transport, tls: tlsDraftOf(target.tls) }),
    cwd: (target.transport === 'stdio' && target.cwd) || '',
    environment: envNames.map((name, index) => ({ id: index + 1, name, value: '', origin: 'base' })),
    protocol,
    via: (target.transport !== 'stdio' && target.via) || 'proxy',
    client: clientIn(target) ?? NO_CLIENT,
    features: target.features ?? CLIENT_FEATURES,
    base,
    nextId: envNames.length + 1,
  };
}

/** What a connection was started with, to be changed and started again. Its values stay in the proxy. */
export function draftOfStart(connection: string, start: StartEvent): ServerDraft {
  if (start.transport !== 'stdio') {
    const { transport, via, url, headerNames, client, placeholders = [], tls, features, protocol } = start;
    const common = { id: connection, source: '', policy: 'allowlist', placeholders, protocol } as const;
    const about = {
      ...(via && { via }),
      ...(tls && { tls }),
      ...(client && { client }),
      ...(features && { features }),
    };
    return draftOfServer({ ...common, target: { transport, url, ...about }, envNames: headerNames });
  }
  const { command, args, cwd, environment, placeholders = [], features, protocol } = start;
  return draftOfServer({
    id: connection,
    source: '',
    target: { transport: 'stdio', command, args, cwd, ...(features && { features }) },
    envNames: environment.added,
    policy: environment.policy,
    placeholders,
    protocol,
  });
}

/** Returns the target to send for a draft; undefined while it names no server or an input is empty. */
export function targetOfDraft(draft: ServerDraft): Target | undefined {
  const target = writtenTarget(draft);
  const inputs = givenInputs(inputsOfDraft(draft), draft.answers);
  return inputs && target && { ...target, ...(inputs.length > 0 && { inputs }) };
}

/** The same before what its config asks for is answered. */
function writtenTarget(draft: ServerDraft): Target | undefined {
  const { server } = readDraft(draft);
  if (!server) return undefined;
  const base = baseOf(draft);
  const name = server.name ?? server.target.name ?? base?.target.name;
  const all = CLIENT_FEATURES.every((feature) => draft.features.includes(feature));
  const common = {
    ...(name !== undefined && { name }),
    ...(base && { base: base.id }),
    ...(!all && { features: draft.features }),
  };
  if (server.target.transport === 'stdio' && server.target.command === '') return undefined;
  const env: [string, string | null][] = draft.environment
    .filter((row) => row.name.trim() !== '' && !(row.origin === 'base' && row.value === ''))
    .map((row) => [row.name.trim(), row.value]);
  const kept = draft.environment.filter(({ origin }) => origin === 'base').map((row) => row.name);
  const gone = base ? draft.removed.filter((one) => ![...kept, ...env.map(([other]) => other)].includes(one)) : [];
  // fromEntries defines own properties, so a variable called __proto__ is one like others.
  const extras = Object.fromEntries([...gone.map((one): [string, null] => [one, null]), ...env]);
  if (server.target.transport !== 'stdio') {
    const { client: _, ...bare } = server.target;
    const client = clientOfDraft(draft);
    const bearer = draft.bearer.trim();
    const headers = bearer === '' ? extras : { ...extras, Authorization: `Bearer ${bearer}` };
    return {
      ...bare,
      transport: draft.transport ?? bare.transport,
      ...common,
      headers,
      // A page has the TLS of its browser and signs in nowhere.
      ...(draft.via === 'direct' ? { via: draft.via } : { ...(client && { client }), ...tlsToSend(draft, base) }),
    };
  }
  const { command, args } = server.target;
  return {
    transport: 'stdio',
    ...common,
    command,
    args,
    ...(draft.cwd.trim() !== '' && { cwd: draft.cwd.trim() }),
    env: extras,
  };
}

/** The same without its base, whose values nobody has any more: they are to be given anew. */
export function withoutBase({ base: _, ...draft }: ServerDraft): ServerDraft {
  return { ...draft, environment: draft.environment.map((row) => ({ ...row, origin: 'hand' })) };
}

/** Without any, a base's own would be taken: where it has some, none has to be said. */
function tlsToSend(draft: ServerDraft, base: DraftBase | undefined): Pick<UrlTarget, 'tls'> {
  const tls = tlsOfDraft(draft.tls);
  const ofBase = base?.target.transport !== 'stdio' && base?.target.tls !== undefined;
  return Object.keys(tls).length > 0 || ofBase ? { tls } : {};
}

/** Why a draft can't be connected, if its text is to blame: of a config, what is wrong with the chosen server. */
export function problemOfDraft(draft: ServerDraft): string | undefined {
  const { parsed, server } = readDraft(draft);
  return server ? server.problem : parsed.problem;
}

/** True while the very command of the base would be started: then it has all that the base has. */
export function isUnchanged(draft: ServerDraft): boolean {
  const base = baseOf(draft);
  const target = writtenTarget(draft);
  return base !== undefined && target !== undefined && sameCommand(base.target, target);
}
