import type { ShownHeaders } from '@/lib/wire/http-frame';
import { configText } from './client-config';
import { commandText } from './command-line';
import { curlText } from './curl';
import type { DescribedRequest } from './described-request';
import { pythonText } from './python';
import { typescriptText } from './typescript';

/** A form that something can be copied in. */
export interface Snippet {
  readonly label: string;
  /** Made when it is wanted. */
  readonly text: () => string;
}

/** The request in every form that somebody else can run. `posted` is how it goes over HTTP; undefined where that is not known. */
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
    { label: 'mcp-inspect command line (bash, zsh)', text: () => commandText(request) },
    { label: 'TypeScript SDK', text: () => typescriptText(request) },
    ...(python === undefined ? [] : [{ label: 'Python SDK', text: () => python }]),
    { label: 'Client config', text: () => configText(start) },
  ];
}
