import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { APP_MIME_TYPE, appNeeds, toolApp } from '@/features/apps/lib/app-meta';
import { isObject, type JsonObject, own } from '@/lib/json/value';
import { quote } from '@/lib/problems/rule';
import { brokenAt, type Look } from '../fact';
import { type HostSession, type SeenApp, toolPath } from '../host-session';

/** Hex digits of the name that claude.ai gives to a server. */
const DOMAIN_DIGITS = 32;
const DOMAIN_END = '.claudemcpcontent.com';

/** Looks at the pages of apps. `words` follow the URI and a colon. */
function inApps(
  find: (app: SeenApp, session: HostSession) => { readonly words: string; readonly at: string } | undefined,
): Look {
  return (session) => {
    const hasApps = (session.tools ?? []).some(({ raw }) => toolApp(raw)?.uri !== undefined);
    if (session.tools && !hasApps) return 'holds';
    if (!session.tools) return { notSeen: 'tools' };
    if (session.apps.length === 0) return { notSeen: 'apps' };
    return brokenAt(
      session.apps.flatMap((app) => {
        const found = find(app, session);
        return found
          ? [{ seq: app.seq, words: `${app.uri}: ${found.words}`, path: `result.contents[0].${found.at}` }]
          : [];
      }),
    );
  };
}

const metaOf = (holder: JsonObject): JsonObject => {
  const meta = own(holder, '_meta');
  return isObject(meta) ? meta : {};
};
const uiOf = (holder: JsonObject): JsonObject => {
  const ui = own(metaOf(holder), 'ui');
  return isObject(ui) ? ui : {};
};

/** Returns the policy of a page: that of its contents, else that of its entry. */
function policyOf({ content, entry }: SeenApp): unknown {
  return own(uiOf(content), 'csp') ?? (entry && own(uiOf(entry), 'csp'));
}

/** Looks for pages of another type than apps have. */
export const appType: Look = inApps(({ content }) =>
  own(content, 'mimeType') === APP_MIME_TYPE
    ? undefined
    : { words: `its type is ${quote(own(content, 'mimeType') ?? 'none')}.`, at: 'mimeType' },
);

/** Looks for a policy that stands on the tool, where hosts don’t look, and not on the page. */
export const policyPlace: Look = (session) => {
  if (!session.tools) return { notSeen: 'tools' };
  const withPolicy = session.tools.filter(({ raw }) => own(uiOf(raw), 'csp') !== undefined);
  if (withPolicy.length === 0) return 'holds';
  if (session.apps.length === 0) return { notSeen: 'apps' };
  return brokenAt(
    withPolicy.flatMap((tool) => {
      const page = session.apps.find(({ uri }) => uri === toolApp(tool.raw)?.uri);
      return page && policyOf(page) === undefined
        ? [
            {
              seq: tool.seq,
              words: `${quote(tool.name)} has \`_meta.ui.csp\`, and its page ${page.uri} has none.`,
              path: toolPath(tool, '_meta', 'ui', 'csp'),
              tool: tool.name,
            },
          ]
        : [];
    }),
  );
};

/** Looks for a page without a policy. */
export const hasPolicy: Look = inApps((page) =>
  policyOf(page) === undefined && own(metaOf(page.content), 'openai/widgetCSP') === undefined
    ? { words: 'has no `_meta.ui.csp`.', at: '_meta.ui.csp' }
    : undefined,
);

/** Looks for sources that claude.ai takes out of a policy. */
export const strippedSources: Look = inApps(({ content }) => {
  const { connect, resource, frame } = appNeeds(own(content, '_meta'));
  const stripped = [...connect, ...resource].find((source) => /^(?:blob|data):/.test(source));
  if (stripped !== undefined) return { words: `${stripped} is among its sources.`, at: '_meta.ui.csp' };
  return frame.length > 0 ? { words: 'it has frameDomains.', at: '_meta.ui.csp.frameDomains' } : undefined;
});

/** Looks for another domain than the one that claude.ai computes from the URL. */
export const claudeDomain: Look = inApps(({ content }, { typedUrl }) => {
  const domain = own(uiOf(content), 'domain');
  if (domain === undefined || typedUrl === undefined) return undefined;
  const expected = bytesToHex(sha256(new TextEncoder().encode(typedUrl))).slice(0, DOMAIN_DIGITS) + DOMAIN_END;
  return domain === expected
    ? undefined
    : {
        words: `its domain is ${JSON.stringify(domain).slice(0, 120)}, expected ${expected} or none.`,
        at: '_meta.ui.domain',
      };
});

/** Looks for a domain that is not an https origin. */
export const originDomain: Look = inApps(({ content }) => {
  const domain = own(uiOf(content), 'domain') ?? own(metaOf(content), 'openai/widgetDomain');
  if (domain === undefined || (typeof domain === 'string' && domain.startsWith('https://'))) return undefined;
  return { words: `its domain is ${JSON.stringify(domain).slice(0, 120)}.`, at: '_meta.ui.domain' };
});

/** Characters of a page that are looked through. */
const PAGE_CHARS = 200_000;
const DEAD_LINKS = /\bwindow\.open\s*\(|\btarget\s*=\s*["']?_blank|<a\s[^<>]*\bdownload\b/i;

/** Looks for links that the frame of an app does not follow. */
export const ownLinks: Look = inApps(({ content }) => {
  const text = own(content, 'text');
  const found = typeof text === 'string' ? DEAD_LINKS.exec(text.slice(0, PAGE_CHARS))?.[0] : undefined;
  return found === undefined ? undefined : { words: `has ${JSON.stringify(found.slice(0, 60))}.`, at: 'text' };
});
