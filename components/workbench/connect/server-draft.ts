import { join } from 'shlex';
import { type ProfileDraft, profileDraftOf, readProfileDraft } from '@/components/client-settings/profile-draft';
import type { StartEvent } from '@/lib/store/state/state';
import type { ConfiguredServer, TypedServer } from '@/lib/wire/api';
import { readProfile, writtenProfile } from '@/lib/wire/client-profile';
import { sameCommand, type Target, type UrlTarget } from '@/lib/wire/command';
import { type Answers, type ConfigInput, type GivenInput, givenInputs } from '@/lib/wire/config-inputs';
import type { ClientSettings, TlsOptions } from '@/lib/wire/connection-settings';
import type { ProtocolChoice } from '@/lib/wire/lifecycle';
import { type PastedServer, type PastedTargets, parseTarget } from '@/lib/wire/target-text';
import { isUrl } from '@/lib/wire/url';

/** TLS settings of the connect form, as typed. Paths are on the proxy's machine. */
export interface TlsDraft {
  /** One path per line. */
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  readonly passphraseEnv: string;
  readonly insecure: boolean;
}

/** Nothing typed: Node's built-in CAs and no client certificate. */
export const EMPTY_TLS: TlsDraft = { ca: '', cert: '', key: '', passphraseEnv: '', insecure: false };

/** Returns TLS options as text to edit. */
export function tlsDraftOf(tls: TlsOptions = {}): TlsDraft {
  return { ...EMPTY_TLS, ...tls, ca: (tls.ca ?? []).join('\n') };
}

/** Returns the TLS options of a draft; {} if nothing was typed. */
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
 * Returns the draft's TLS settings after its text changed. Settings in the text win; without them, typed settings stay.
 * `insecure` is cleared for another origin, because the user agreed to it for one origin only.
 */
function tlsAfter(before: TlsDraft, said: Target | undefined, sameOrigin: boolean): TlsDraft {
  if (said !== undefined && said.transport !== 'stdio' && said.tls) return tlsDraftOf(said.tls);
  return sameOrigin ? before : { ...before, insecure: false };
}

/** One variable of the server; for a server at a URL, one header. */
export interface EnvironmentRow {
  /** Stable while the row is edited. */
  readonly id: number;
  readonly name: string;
  readonly value: string;
  /** The row's source: the text, the draft's base (the proxy has its value), or the user. */
  readonly origin: 'text' | 'base' | 'hand';
}

/** The configured server or connection a draft was made from. The proxy has the values of its variables. */
export type DraftBase = Omit<ConfiguredServer, 'origin' | 'host' | 'source'>;

/** The state of the connect form: the typed text and all other settings. */
export interface ServerDraft {
  readonly text: string;
  /** Index of the chosen server in a pasted config. */
  readonly chosen: number;
  readonly cwd: string;
  readonly environment: readonly EnvironmentRow[];
  readonly protocol: ProtocolChoice;
  /** For a server at a URL: whether the proxy or this page connects. */
  readonly via: 'proxy' | 'direct';
  /** Sent as `Authorization` to a server at a URL; '' for none. */
  readonly bearer: string;
  /** The OAuth client for a server at a URL, as typed; '' for none. */
  readonly client: Readonly<Record<keyof ClientSettings, string>>;
  /** For a server at a URL: overrides the transport in the text. */
  readonly transport?: UrlTarget['transport'];
  /** For a server at a URL. */
  readonly tls: TlsDraft;
  /** Answers to the config's inputs. */
  readonly answers: Answers;
  /** How mcp-inspect presents itself. */
  readonly profile: ProfileDraft;
  /** Applies only while the text starts the same program: see {@link baseOf}. */
  readonly base?: DraftBase;
  /** The kept server that this draft changes. */
  readonly entry?: { readonly id: string; readonly name: string };
  /** Names of `base` that the user removed. */
  readonly removed: readonly string[];
  readonly nextId: number;
  /** The parts that a reload of the tab has removed, because they may be secret. */
  readonly lost?: 'text' | 'values';
}

/** Returns true if something under *Options* is set, which a person must see before connecting. */
export function hasOptions({
  protocol,
  cwd,
  environment,
  via,
  bearer,
  client,
  tls,
  transport,
  entry,
}: ServerDraft): boolean {
  const typed = [cwd, bearer, ...Object.values(client), ...Object.values(tls)].some(
    (value) => value !== '' && value !== false,
  );
  return (
    typed ||
    protocol !== 'auto' ||
    environment.length > 0 ||
    via === 'direct' ||
    transport !== undefined ||
    entry !== undefined
  );
}

const NO_CLIENT = {
  clientId: '',
  clientSecret: '',
  scope: '',
  metadataUrl: '',
  grant: '',
  keyFile: '',
  tokenFile: '',
  idp: '',
  idpClientId: '',
  issuer: '',
  dpop: '',
};

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
  profile: profileDraftOf({}),
  removed: [],
  nextId: 1,
};

/** Parses a draft's text. `server` is the chosen one. */
export function readDraft(draft: ServerDraft): { readonly parsed: PastedTargets; readonly server?: PastedServer } {
  const parsed = parseTarget(draft.text);
  return { parsed, server: parsed.targets[draft.chosen] ?? parsed.targets[0] };
}

/** Returns the draft's base, unless the text now starts another program, which must not get the base's values. */
export function baseOf(draft: ServerDraft): DraftBase | undefined {
  const { server } = readDraft(draft);
  if (!draft.base || !server) return draft.base;
  return commandOf(server.target) === commandOf(draft.base.target) ? draft.base : undefined;
}

/** Returns the inputs to ask for before connecting: the pasted config's, or the base's. */
export function inputsOfDraft(draft: ServerDraft): readonly ConfigInput[] {
  return readDraft(draft).server?.inputs ?? baseOf(draft)?.inputs ?? [];
}

/** Ignores the arguments: a person who corrects a path keeps the base’s values, whose rows are in view. */
function commandOf(target: Target): string {
  if (target.transport === 'stdio') return target.command;
  return isUrl(target.url) ? new URL(target.url).origin : target.url;
}

function sameProgram(one: PastedServer | undefined, other: PastedServer | undefined): boolean {
  return one !== undefined && other !== undefined && commandOf(one.target) === commandOf(other.target);
}

/** Returns the index of the first enabled server in a pasted config; 0 if there is none. */
function firstEnabled(text: string): number {
  return Math.max(
    parseTarget(text).targets.findIndex(({ disabled }) => !disabled),
    0,
  );
}

/** Returns the draft after its text or chosen server changed. Settings in the text win; the user's additions stay. */
export function withText(before: ServerDraft, text: string, chosen = firstEnabled(text)): ServerDraft {
  // Emptying the box starts over, because a base's values must not go to the next server that is typed.
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
  // The proxy sends the base's variables while the base applies, so show them.
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
    // An answer is for one server. Another one may use the same input name.
    ...(!asksTheSame && { answers: EMPTY_DRAFT.answers }),
    cwd: stdio?.cwd ?? cwdAfter(draft, base, baseOf(before)),
    protocol: server?.protocol ?? draft.protocol,
    client: (server && clientIn(server.target)) ?? draft.client,
    tls: tlsAfter(draft.tls, server?.target, sameProgram(earlier, server)),
    environment: rows,
    nextId,
  };
}

/** Returns a target's OAuth client; undefined if it names none. */
function clientIn(target: Target): ServerDraft['client'] | undefined {
  if (target.transport === 'stdio' || target.client === undefined) return undefined;
  return { ...NO_CLIENT, ...target.client };
}

/** Returns a draft's OAuth client; undefined if nothing was typed. */
export function clientOfDraft({ client }: ServerDraft): ClientSettings | undefined {
  const said = Object.entries(client)
    .map(([key, text]) => [key, text.trim()] as const)
    .filter(([, text]) => text !== '');
  return said.length === 0 ? undefined : Object.fromEntries(said);
}

/** Returns a target's variables or headers. */
function extrasOf(target: Target): Readonly<Record<string, string | null>> | undefined {
  return target.transport === 'stdio' ? target.env : target.headers;
}

/** Returns the working directory after a change of the base. A base's directory applies only with that base. */
function cwdAfter({ cwd }: ServerDraft, base: DraftBase | undefined, before: DraftBase | undefined): string {
  if (base?.id === before?.id) return cwd;
  return (base?.target.transport === 'stdio' && base.target.cwd) || '';
}

/** Returns a draft for a configured server. Its values stay in the proxy. */
export function draftOfServer({ origin, host: _, source: __, ...base }: ConfiguredServer): ServerDraft {
  const { id, target, name } = base;
  return { ...draftOfBase(base), ...(origin === 'kept' && { entry: { id, name: target.name ?? name ?? '' } }) };
}

/** Returns the text of a draft made from a base. */
export function textOfBase({ target }: DraftBase): string {
  return target.transport === 'stdio' ? join([target.command, ...target.args]) : target.url;
}

function draftOfBase(base: DraftBase): ServerDraft {
  const { target, envNames, protocol } = base;
  return {
    ...EMPTY_DRAFT,
    text: textOfBase(base),
    ...(target.transport !== 'stdio' && { transport: target.transport, tls: tlsDraftOf(target.tls) }),
    cwd: (target.transport === 'stdio' && target.cwd) || '',
    environment: envNames.map((name, index) => ({ id: index + 1, name, value: '', origin: 'base' })),
    protocol,
    via: (target.transport !== 'stdio' && target.via) || 'proxy',
    client: clientIn(target) ?? NO_CLIENT,
    profile: profileDraftOf(target.profile ?? {}),
    base,
    nextId: envNames.length + 1,
  };
}

/**
 * Returns a draft for starting a connection again, with the client settings that it has now. Its values stay in the
 * proxy.
 */
export function draftOfStart(connection: string, start: StartEvent, now?: unknown): ServerDraft {
  const profile = readProfile(now === undefined ? start : { profile: now });
  if (start.transport !== 'stdio') {
    const { transport, via, url, headerNames, client, placeholders = [], tls, protocol } = start;
    const common = { id: connection, policy: 'allowlist', placeholders, protocol } as const;
    const about = {
      ...(via && { via }),
      ...(tls && { tls }),
      ...(client && { client }),
      profile,
    };
    return draftOfBase({ ...common, target: { transport, url, ...about }, envNames: headerNames });
  }
  const { command, args, cwd, environment, placeholders = [], protocol } = start;
  return draftOfBase({
    id: connection,
    target: { transport: 'stdio', command, args, cwd, profile },
    envNames: environment.added,
    policy: environment.policy,
    placeholders,
    protocol,
  });
}

/** Returns the target to send for a configured server, with the answers to its inputs. */
export function targetOfServer({ id, target, envNames }: ConfiguredServer, inputs: readonly GivenInput[]): Target {
  const given = inputs.length > 0 && { inputs };
  // The page has no values of the proxy, so it asks for all.
  if (target.transport !== 'stdio' && target.via === 'direct') {
    return { ...target, headers: Object.fromEntries(envNames.map((name) => [name, `\${input:${name}}`])), ...given };
  }
  return { ...target, base: id, ...given };
}

/** Returns what the list of servers keeps of a target. `names` are those of its variables or headers. */
export function typedServer(target: Target, protocol: ProtocolChoice, names: readonly string[]): TypedServer {
  const { base: _, inputs: __, ...bare } = target;
  if (bare.transport === 'stdio') {
    const { env: ___, ...server } = bare;
    return { target: server, names, protocol };
  }
  const { headers: ___, ...server } = bare;
  return { target: server, names, protocol };
}

/** Returns what the list of servers keeps of a draft; undefined while it names no server. */
export function serverOfDraft(draft: ServerDraft): TypedServer | undefined {
  const target = writtenTarget(draft);
  const names = draft.environment.map(({ name }) => name.trim()).filter((name) => name !== '');
  const all = draft.bearer.trim() === '' ? names : [...names, 'Authorization'];
  return target && typedServer(target, draft.protocol, [...new Set(all)]);
}

/** Returns the target to send for a draft; undefined while it names no server or an input is empty. */
export function targetOfDraft(draft: ServerDraft): Target | undefined {
  const target = writtenTarget(draft);
  const inputs = givenInputs(inputsOfDraft(draft), draft.answers);
  return inputs && target && { ...target, ...(inputs.length > 0 && { inputs }) };
}

/** Returns the target without the answers to its inputs. */
function writtenTarget(draft: ServerDraft): Target | undefined {
  const { server } = readDraft(draft);
  if (!server) return undefined;
  const base = baseOf(draft);
  const name = server.name ?? server.target.name ?? base?.target.name;
  const read = readProfileDraft(draft.profile);
  if ('problem' in read) return undefined;
  const common = {
    ...(name !== undefined && { name }),
    ...(base && { base: base.id }),
    ...writtenProfile(read.profile),
  };
  if (server.target.transport === 'stdio' && server.target.command === '') return undefined;
  const env: [string, string | null][] = draft.environment
    .filter((row) => row.name.trim() !== '' && !(row.origin === 'base' && row.value === ''))
    .map((row) => [row.name.trim(), row.value]);
  const kept = draft.environment.filter(({ origin }) => origin === 'base').map((row) => row.name);
  const gone = base ? draft.removed.filter((one) => ![...kept, ...env.map(([other]) => other)].includes(one)) : [];
  // fromEntries defines own properties, so a variable called __proto__ works like any other.
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
      // A direct connection uses the browser's TLS and can't sign in.
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

/** Returns the draft without its base, whose values are gone: the user has to type them again. */
export function withoutBase({ base: _, ...draft }: ServerDraft): ServerDraft {
  return { ...draft, environment: draft.environment.map((row) => ({ ...row, origin: 'hand' })) };
}

/** Returns the TLS options to send. A missing `tls` would mean the base's own, so send {} to clear those. */
function tlsToSend(draft: ServerDraft, base: DraftBase | undefined): Pick<UrlTarget, 'tls'> {
  const tls = tlsOfDraft(draft.tls);
  const ofBase = base?.target.transport !== 'stdio' && base?.target.tls !== undefined;
  return Object.keys(tls).length > 0 || ofBase ? { tls } : {};
}

/** Returns why a draft's text, or the chosen server of a config, can't be connected. */
export function problemOfDraft(draft: ServerDraft): string | undefined {
  const { parsed, server } = readDraft(draft);
  return server ? server.problem : parsed.problem;
}

/** Returns why a draft's client settings can't be used. */
export function profileProblemOfDraft({ profile }: ServerDraft): string | undefined {
  const read = readProfileDraft(profile);
  return 'problem' in read ? read.problem : undefined;
}

/** True while the draft would start exactly the base's command. */
export function isUnchanged(draft: ServerDraft): boolean {
  const base = baseOf(draft);
  const target = writtenTarget(draft);
  return base !== undefined && target !== undefined && sameCommand(base.target, target);
}
