import { isObject, own } from '@/lib/json/value';
import { type AppNeeds, appNeeds } from './app-meta';
import { judgeSource, localOrigin } from './app-policy';

/** A fault in a running app, as its frame reports it. The app can forge it, so it is the app's text. */
export type AppNotice =
  /** The page's policy blocked a request. `url` is `eval`, `inline` or a scheme for what has no address. */
  | { readonly kind: 'blocked'; readonly directive: string; readonly url: string }
  /** A script of the app threw, and nobody caught it. */
  | { readonly kind: 'error'; readonly text: string };

const BLOCKED = 'mcp-inspect/blocked';
const THREW = 'mcp-inspect/error';
/** A page can fail again and again. */
const MOST_NOTICES = 100;
const MOST_CHARS = 2000;

/** Runs in the app's page before its own scripts, and reports what is blocked there. Has no access to anything else. */
const REPORTER = `<script>(() => {
  document.currentScript.remove();
  let left = ${MOST_NOTICES};
  const host = parent;
  const tell = (method, params) => { if (left-- > 0) host.postMessage({ jsonrpc: '2.0', method, params }, '*'); };
  const cut = (text) => String(text).slice(0, ${MOST_CHARS});
  addEventListener('securitypolicyviolation', (event) =>
    tell('${BLOCKED}', { directive: event.effectiveDirective, url: cut(event.blockedURI) }));
  addEventListener('error', (event) => { if (event.message) tell('${THREW}', { text: cut(event.message) }); });
  addEventListener('unhandledrejection', ({ reason }) => tell('${THREW}', { text: cut(reason) }));
})()</script>`;

/** Adds the reporter to an app's page. It comes after the doctype, without which browsers draw pages as of old. */
export function reportingPage(html: string): string {
  const at = endOfDoctype(html);
  return html.slice(0, at) + REPORTER + html.slice(at);
}

/** Returns 0 for a page without a doctype. */
function endOfDoctype(html: string): number {
  let at = 0;
  while (true) {
    at += /^[\ufeff\s]*/.exec(html.slice(at, at + 10_000))![0].length;
    if (!html.startsWith('<!--', at)) break;
    const end = html.indexOf('-->', at + 4);
    if (end === -1) return 0;
    at = end + 3;
  }
  const doctype = /<!doctype[^>]*>/iy;
  doctype.lastIndex = at;
  return doctype.test(html) ? doctype.lastIndex : 0;
}

/** Reads a notice from a message of the frame; undefined for any other message. */
export function readAppNotice(message: unknown): AppNotice | undefined {
  if (!isObject(message)) return undefined;
  const [method, params] = [own(message, 'method'), own(message, 'params')];
  if (!isObject(params)) return undefined;
  const [directive, url, text] = ['directive', 'url', 'text'].map((name) => {
    const value = own(params, name);
    return typeof value === 'string' ? value.slice(0, MOST_CHARS) : undefined;
  });
  if (method === BLOCKED && directive !== undefined && url !== undefined) return { kind: 'blocked', directive, url };
  return method === THREW && text !== undefined ? { kind: 'error', text } : undefined;
}

/** An app whose request was blocked. */
interface BlockedApp {
  /** URI of its page. */
  readonly uri: string;
  /** Needs that its page declares. */
  readonly needs: AppNeeds;
  /** The tool as listed: some servers declare the needs there, where no host looks. */
  readonly tool: unknown;
}

/** The members of `_meta.ui.csp`, and the directives that each one opens (MCP Apps 2026-01-26). */
const MEMBERS = [
  ['resourceDomains', 'resource', ['script-src', 'style-src', 'img-src', 'font-src', 'media-src']],
  ['connectDomains', 'connect', ['connect-src']],
  ['frameDomains', 'frame', ['frame-src']],
  ['baseUriDomains', 'base', ['base-uri']],
] as const;

/** Says what to change so that a request is not blocked. Has text of the app and the server. */
export function blockedAdvice({ directive, url }: AppNotice & { kind: 'blocked' }, app: BlockedApp): string {
  const name = directive.replace(/-(?:elem|attr)$/, '');
  if (url === 'eval' || url === 'wasm-eval')
    return 'Hosts don’t let apps compile code. A library that only tries it goes on without; else build the app without eval.';
  const origin = originOf(url);
  const found = MEMBERS.find(([, , directives]) => (directives as readonly string[]).includes(name));
  if (!found || origin === undefined)
    return `Hosts allow no ${name} of this kind: nothing that a server declares opens it.`;
  const [member, kind] = found;
  const declared = app.needs[kind].find((source) => covers(source, origin));
  if (declared === undefined) {
    const place = `\`_meta.ui.csp.${member}\` of the resource ${app.uri}`;
    return appNeeds(toolMeta(app.tool))[kind].some((source) => covers(source, origin))
      ? `The tool declares ${origin}, but hosts read what the resource declares: move it to ${place}.`
      : `Add "${origin}" to ${place}.`;
  }
  const judged = judgeSource(declared);
  if ('origin' in judged) return `The resource declares ${origin}: allow it above, and start the app again.`;
  return kind === 'resource' && localOrigin(origin) !== undefined
    ? `The resource declares ${origin}, which is on this machine: name it under *Files of a local server* to allow it in this tab.`
    : `The resource declares ${origin}, which is refused. ${judged.refused}`;
}

function toolMeta(tool: unknown): unknown {
  return isObject(tool) ? own(tool, '_meta') : undefined;
}

function originOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { origin } = new URL(url);
  return origin === 'null' ? undefined : origin;
}

/** Returns true if a declared source is this origin. `https://*.a.example` covers its subdomains. */
function covers(source: string, origin: string): boolean {
  const [scheme, host = ''] = source.replace(/\/+$/, '').toLowerCase().split('://');
  if (!host.startsWith('*.')) return originOf(source) === origin;
  return origin.startsWith(`${scheme}://`) && origin.endsWith(host.slice(1));
}
