import { isObject, own } from '@/lib/json/value';
import { messageRule, type ProtocolRule, quote } from '@/lib/problems/rule';
import { pageTools } from '@/lib/problems/rules/listings';
import { RecentMap } from '@/lib/store/columns/collections';
import { APP_MIME_TYPE, isAppUri, readAppPage, toolApp } from './app-meta';
import { judgeSource } from './app-policy';

/** Rules about MCP Apps (io.modelcontextprotocol/ui). */
export const APP_RULES: readonly ProtocolRule[] = [
  messageRule(
    {
      id: 'app-flat-key',
      kinds: ['response'],
      severity: 'info',
      title: 'App named only under the older key',
      topic: 'tools',
      advice: 'Name the app in _meta.ui.resourceUri as well. New hosts don’t read ui/resourceUri.',
    },
    (seen, _state, report) => {
      for (const { tool, path } of pageTools(seen)) {
        const meta = own(tool, '_meta');
        if (!isObject(meta) || !isAppUri(own(meta, 'ui/resourceUri'))) continue;
        const ui = own(meta, 'ui');
        if (isObject(ui) && own(ui, 'resourceUri') !== undefined) continue;
        report({
          message: `The tool ${quote(own(tool, 'name'))} has no _meta.ui.resourceUri.`,
          path: [...path, '_meta'],
        });
      }
    },
  ),
  {
    id: 'app-missing',
    severity: 'error',
    title: 'Tool names an app that can’t be read',
    topic: 'resources',
    advice: 'Return the app’s page from resources/read, or leave its URI out of the tool’s _meta.',
    checks: () => {
      // The tool that names each app, and the frame that lists it.
      const named = new RecentMap<string, { readonly tool: unknown; readonly seq: number }>();
      return {
        kinds: ['response', 'error'],
        message(seen, _state, report) {
          for (const { tool } of pageTools(seen)) {
            const uri = toolApp(tool)?.uri;
            if (uri !== undefined) named.set(uri, { tool: own(tool, 'name'), seq: seen.seq });
          }
          const { request, body } = seen;
          const uri = request?.method === 'resources/read' ? own(request.params, 'uri') : undefined;
          const by = typeof uri === 'string' ? named.get(uri) : undefined;
          const error = own(body, 'error');
          if (!by || !isObject(error)) return;
          report({
            message: `The tool ${quote(by.tool)} names ${quote(uri)}, and reading it fails: ${quote(own(error, 'message'))}.`,
            path: ['error'],
            seqs: [request!.seq, by.seq],
          });
        },
      };
    },
  },
  messageRule(
    {
      id: 'app-page',
      kinds: ['response'],
      severity: 'error',
      title: 'Resource of an app is not its page',
      topic: 'resources',
      advice: `Return the HTML as text or blob, with the MIME type ${APP_MIME_TYPE}.`,
    },
    ({ body, request }, _state, report) => {
      if (request?.method !== 'resources/read' || !isAppUri(own(request.params, 'uri'))) return;
      const page = readAppPage(own(body, 'result'));
      const type = typeof page === 'string' ? page : page.mimeType;
      if (type === APP_MIME_TYPE) return;
      const message =
        typeof page === 'string' ? page : `Its MIME type is ${type === undefined ? 'missing' : quote(type)}.`;
      report({ message, path: ['result', 'contents'], seqs: [request.seq] });
    },
  ),
  messageRule(
    {
      id: 'app-origin-refused',
      kinds: ['response'],
      severity: 'warning',
      title: 'App declares an origin that hosts refuse',
      topic: 'resources',
      advice: 'Declare https or wss origins with a public name, without a path.',
    },
    ({ body, request }, _state, report) => {
      if (request?.method !== 'resources/read' || !isAppUri(own(request.params, 'uri'))) return;
      const page = readAppPage(own(body, 'result'));
      if (typeof page === 'string') return;
      const { connect, resource, frame, base } = page.needs;
      for (const source of new Set([...connect, ...resource, ...frame, ...base])) {
        const judged = judgeSource(source);
        if (!('refused' in judged)) continue;
        report({
          message: `${quote(source)} is refused. ${judged.refused}`,
          path: ['result', 'contents', 0, '_meta'],
          seqs: [request.seq],
        });
      }
    },
  ),
];
