import type { ShownHeaders } from '@/lib/wire/http-frame';
import type { DescribedRequest, Start } from './described-request';
import { pythonText, typescriptText } from './sdk-code';
import { curlText, inspectCommandText } from './shell-commands';

/** A form in which something can be copied. */
export interface Snippet {
  readonly label: string;
  /** Made on demand. */
  readonly text: () => string;
}

/**
 * Returns a request in every form that somebody else can run. `posted` is how it goes over HTTP; undefined if unknown.
 */
export function requestSnippets(
  request: DescribedRequest,
  posted: { readonly url: string; readonly headers: ShownHeaders; readonly body: string } | undefined,
): readonly Snippet[] {
  const { start } = request;
  const python = pythonText(request);
  return [
    ...(start.transport === 'stdio' || posted === undefined
      ? []
      : [{ label: 'curl (bash, zsh)', text: () => curlText(posted.url, posted.headers, posted.body) }]),
    { label: 'mcp-inspect command line (bash, zsh)', text: () => inspectCommandText(request) },
    { label: 'TypeScript SDK', text: () => typescriptText(request) },
    ...(python === undefined ? [] : [{ label: 'Python SDK', text: () => python }]),
    { label: 'Client config', text: () => configText(start) },
  ];
}

/** Returns the `mcpServers` configuration of a host. Secret values are left to be filled in. */
export function configText(start: Start): string {
  const blanks = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, '…']));
  const server =
    start.transport === 'stdio'
      ? {
          command: start.command,
          args: start.args,
          ...(start.environment.added.length > 0 && { env: blanks(start.environment.added) }),
        }
      : { url: start.url, ...(start.headerNames.length > 0 && { headers: blanks(start.headerNames) }) };
  return JSON.stringify({ mcpServers: { [start.name]: server } }, null, 2);
}
