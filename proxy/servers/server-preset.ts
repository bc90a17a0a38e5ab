import type { ConfiguredServer } from '@/lib/wire/api';
import type { Target } from '@/lib/wire/command';
import type { ClientSettings, TlsOptions } from '@/lib/wire/connection-settings';
import { findPlaceholders } from '@/lib/wire/server-config';
import type { Preset } from '../connection/launch';
import { type ConfigServer, withEnvFile } from './config-file';

/** The origin of a preset, and the version to speak. The default policy is `allowlist`. */
export type PresetOrigin = Pick<ConfiguredServer, 'id' | 'origin' | 'host' | 'source' | 'protocol'> &
  Partial<Pick<ConfiguredServer, 'policy'>>;

/** Settings that the command line adds to the one server that it names. */
export interface Additions {
  /** Variables, for a process. */
  readonly env: Readonly<Record<string, string>>;
  /** Headers, for a URL. */
  readonly headers: Readonly<Record<string, string>>;
  /** Absolute path. */
  readonly cwd?: string;
  readonly client: ClientSettings;
  readonly tls: TlsOptions;
}

/** Makes a preset of a server in a config. */
export function presetOfServer(server: ConfigServer, from: PresetOrigin, own?: Additions): Preset {
  const { inputs, secrets, disabled, problem } = server;
  const isProcess = server.target.transport === 'stdio';
  const env = { ...server.env, ...(isProcess ? own?.env : own?.headers) };
  const made = isProcess ? processOf(server, own) : urlOf(server, own);
  const { target, placeholders, ...real } = made;
  return {
    shown: {
      policy: 'allowlist',
      ...from,
      target,
      envNames: Object.keys(env),
      placeholders,
      ...(inputs.length > 0 && { inputs, ...(own && { waiting: true }) }),
      ...(disabled && { disabled }),
      ...(problem !== undefined && { problem }),
    },
    ...real,
    env,
    secrets,
    ...(inputs.length > 0 && {
      complete: async (answers: ReadonlyMap<string, string>) =>
        presetOfServer(await withEnvFile(server.withInputs(answers)), from, own),
    }),
  };
}

/** A target with the placeholders in it, and the values that replace them. */
type Made = Pick<Preset, 'filled' | 'filledUrl' | 'filledClient' | 'clientSecret'> & {
  readonly target: Target;
  readonly placeholders: readonly string[];
};

function processOf({ target, filled }: ConfigServer, own: Additions | undefined): Made {
  if (target.transport !== 'stdio' || !filled) return { target, placeholders: [] };
  const cwd = own?.cwd !== undefined && { cwd: own.cwd };
  const written = { ...target, ...cwd };
  const { command, args, cwd: folder = '' } = written;
  return { target: written, placeholders: findPlaceholders([command, args, folder]), filled: { ...filled, ...cwd } };
}

function urlOf({ target, filledUrl, filledClient, ...server }: ConfigServer, own: Additions | undefined): Made {
  if (target.transport === 'stdio') return { target, placeholders: [] };
  const { clientSecret: ownSecret, ...said } = own?.client ?? {};
  const client = { ...target.client, ...said };
  const tls = { ...target.tls, ...own?.tls };
  const clientSecret = ownSecret ?? server.clientSecret;
  return {
    target: {
      ...target,
      ...(Object.keys(client).length > 0 && { client }),
      ...(Object.keys(tls).length > 0 && { tls }),
    },
    placeholders: findPlaceholders([target.url]),
    ...(filledUrl && { filledUrl }),
    ...(filledClient && { filledClient: { ...filledClient, ...said } }),
    ...(clientSecret !== undefined && { clientSecret }),
  };
}
