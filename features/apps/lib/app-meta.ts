import { isObject, own } from '@/lib/json/value';

// MCP Apps (io.modelcontextprotocol/ui, dialect 2026-01-26): tools name a `ui://` resource, an HTML page that shows
// their results. Everything here comes from a server.

/** The MIME type of an app's page. */
export const APP_MIME_TYPE = 'text/html;profile=mcp-app';

/** Who may use a tool: the model, an app, or both. */
export type AppVisibility = 'model' | 'app';

/** A tool's relation to an app. */
export interface ToolApp {
  /** URI of the app's page; undefined for a tool that only apps call. */
  readonly uri?: string;
  readonly visibility: readonly AppVisibility[];
}

const BOTH: readonly AppVisibility[] = ['model', 'app'];

/** Returns the app of a tool, from the tool's `_meta`; undefined for a tool without one. */
export function toolApp(tool: unknown): ToolApp | undefined {
  const meta = isObject(tool) ? own(tool, '_meta') : undefined;
  if (!isObject(meta)) return undefined;
  const ui = own(meta, 'ui');
  const said = isObject(ui) ? own(ui, 'visibility') : undefined;
  const visibility = Array.isArray(said) ? BOTH.filter((one) => said.includes(one)) : BOTH;
  // The flat key is that of an earlier draft, which most servers also send.
  const uri = [isObject(ui) ? own(ui, 'resourceUri') : undefined, own(meta, 'ui/resourceUri')].find(isAppUri);
  if (uri === undefined && visibility.length === BOTH.length) return undefined;
  return { visibility, ...(uri !== undefined && { uri }) };
}

/** Returns true for the URI of an app's page. */
export function isAppUri(uri: unknown): uri is string {
  return typeof uri === 'string' && uri.startsWith('ui://');
}

/** Features of the browser that an app may ask for. */
export const APP_PERMISSIONS = ['camera', 'microphone', 'geolocation', 'clipboardWrite'] as const;
export type AppPermission = (typeof APP_PERMISSIONS)[number];

/** The needs that an app declares, in the `_meta.ui` of its resource. */
export interface AppNeeds {
  /** Sources of the Content-Security-Policy as written, for each kind of request. */
  readonly connect: readonly string[];
  readonly resource: readonly string[];
  readonly frame: readonly string[];
  readonly base: readonly string[];
  readonly permissions: readonly AppPermission[];
}

/** Sources of one kind that are read. More make no sense, and each is checked. */
const MOST_SOURCES = 50;

/** Reads the needs of an app from the `_meta` of its resource. Ignores what is not valid. */
export function appNeeds(meta: unknown): AppNeeds {
  const ui = isObject(meta) ? own(meta, 'ui') : undefined;
  const csp = isObject(ui) ? own(ui, 'csp') : undefined;
  const permissions = isObject(ui) ? own(ui, 'permissions') : undefined;
  const sources = (name: string): readonly string[] => {
    const list = isObject(csp) ? own(csp, name) : undefined;
    const texts = Array.isArray(list) ? list.filter((one): one is string => typeof one === 'string') : [];
    return [...new Set(texts)].slice(0, MOST_SOURCES);
  };
  return {
    connect: sources('connectDomains'),
    resource: sources('resourceDomains'),
    frame: sources('frameDomains'),
    base: sources('baseUriDomains'),
    permissions: APP_PERMISSIONS.filter((name) => isObject(permissions) && isObject(own(permissions, name))),
  };
}

/** An app's page, as `resources/read` returned it. */
export interface AppPage {
  readonly html: string;
  readonly mimeType: string | undefined;
  readonly needs: AppNeeds;
}

/**
 * Reads the page from the result of `resources/read`. Returns a sentence if there is none. `needs` may also be in the
 * list of resources: those in the contents win.
 */
export function readAppPage(result: unknown, listed?: unknown): AppPage | string {
  const contents = isObject(result) ? own(result, 'contents') : undefined;
  const first: unknown = Array.isArray(contents) ? contents[0] : undefined;
  if (!isObject(first)) return 'The resource has no contents.';
  const html = own(first, 'text');
  const blob = own(first, 'blob');
  const mimeType = own(first, 'mimeType');
  const text = typeof html === 'string' ? html : typeof blob === 'string' ? decodedText(blob) : undefined;
  if (text === undefined) return 'The resource has neither text nor a valid blob.';
  const meta = own(first, '_meta');
  const hasOwn = isObject(meta) && isObject(own(meta, 'ui'));
  const listedMeta = isObject(listed) ? own(listed, '_meta') : undefined;
  return {
    html: text,
    mimeType: typeof mimeType === 'string' ? mimeType : undefined,
    needs: appNeeds(hasOwn ? meta : listedMeta),
  };
}

function decodedText(base64: string): string | undefined {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
  } catch {
    return undefined;
  }
}
