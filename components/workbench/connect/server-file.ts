import type { useClient } from '@/lib/hooks/client';
import { isHar } from '@/lib/recording/recording-bytes';
import { formatBytes } from '@/lib/wire/format';
import type { Failure } from '@/lib/wire/lifecycle';
import { EMPTY_DRAFT, readDraft, type ServerDraft, withText } from './server-draft';

/** Bytes of the largest config that the form holds as text. */
const CONFIG_BYTES = 1024 * 1024;
/** Bytes that tell an HTTP Archive from a config. */
const BEGINNING_BYTES = 512;

/**
 * Returns the connect form for a file with a server: a server.json, another config, or an MCP bundle, which the proxy
 * unpacks. `recording` for an HTTP Archive, which is one. Rejects with a Failure.
 */
export async function draftOfFile(
  file: File,
  { api }: Pick<ReturnType<typeof useClient>, 'api'>,
): Promise<ServerDraft | 'recording'> {
  if (!file.name.toLowerCase().endsWith('.json')) {
    if (!api) throw NO_PROXY;
    return withText(EMPTY_DRAFT, (await api.readBundle(file)).config);
  }
  const beginning = new Uint8Array(await file.slice(0, BEGINNING_BYTES).arrayBuffer());
  if (isHar(beginning)) return 'recording';
  if (file.size > CONFIG_BYTES) throw TOO_LARGE;
  const draft = withText(EMPTY_DRAFT, await file.text());
  if (!readDraft(draft).server) throw NO_SERVER;
  return draft;
}

const NO_PROXY: Failure = {
  code: 'no-proxy',
  message: 'This page can’t unpack a bundle, because a static host serves it.',
  advice: 'Run `npx mcp-inspect FILE` in a terminal.',
};

const TOO_LARGE: Failure = {
  code: 'config-too-large',
  message: `This file is larger than ${formatBytes(CONFIG_BYTES)}, so it is not a config with servers.`,
  advice: 'Choose a server.json, a host’s config, or a recording (.mcpr.jsonl, .mcpr.gz, .har).',
};

const NO_SERVER: Failure = {
  code: 'config-without-server',
  message: 'This file describes no server.',
  advice: 'Choose a server.json, a host’s config, or a recording (.mcpr.jsonl, .mcpr.gz, .har).',
};
