import { maskedUrl } from '@/lib/transports/masking';
import { MASK } from '@/lib/wire/http-frame';
import type { ServerOptions } from '@/proxy/cli/server-options';
import type { Launch } from '@/proxy/connection/launch';

/** Returns a sentence that names the command with each step of a connection to a URL; undefined for a process. */
export function doctorHint({ transport }: Launch, options: ServerOptions): string | undefined {
  if (transport === 'stdio') return undefined;
  const { target, server, config, isFile, headers, tls, client } = options;
  const isBare = headers.size === 0 && Object.keys(tls).length === 0 && Object.keys(client).length === 0;
  const words = [
    ...(config !== undefined && !isFile ? [`--config ${config}`] : []),
    ...(server !== undefined ? [`--server ${server}`] : []),
    ...(isFile && config !== undefined ? [config] : []),
    ...(target?.kind === 'url' ? [maskedUrl(target.url)] : []),
    ...(options.transport === 'auto' ? [] : [`--transport ${options.transport}`]),
  ].join(' ');
  if (words.includes(MASK) || !isBare)
    return 'Run `mcp-inspect doctor …` with the same server and options for each step.';
  return `Run \`mcp-inspect doctor ${words}\` for each step.`;
}
