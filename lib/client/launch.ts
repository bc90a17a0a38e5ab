import { isObject, own } from '@/lib/json/value';
import type { HostReply, LaunchReply } from '@/lib/wire/api';
import { type Clock, systemClock } from '@/lib/wire/clock';
import type { Failure } from '@/lib/wire/lifecycle';
import { LIMITS } from '@/lib/wire/limits';
import { pagePath } from '@/lib/wire/page-path';

/** How long a tab without a token waits for other tabs to send theirs, in ms. The page is blank meanwhile. */
export const ASK_TABS_MS = 300;

/**
 * The token that identifies the page to the proxy, or why there is none. Call `forget` if the proxy refuses the token:
 * reloads and other tabs then no longer get the token. `failure`: why the page's link did not work.
 */
export type LaunchResult =
  | { readonly state: 'ready'; readonly token: string; forget(): void }
  | { readonly state: 'no-token'; readonly failure?: Failure }
  /** A static host serves the page, so it needs no token. */
  | { readonly state: 'no-proxy' };

/** The parts of the browser that launching uses. */
export interface LaunchPage {
  readonly location: Pick<Location, 'hash' | 'pathname' | 'search'>;
  readonly history: Pick<History, 'replaceState'>;
  /** This tab's storage. Every call may throw. */
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  readonly clock: Clock;
  post(path: string, body: unknown): Promise<Response>;
  get(path: string): Promise<Response>;
  openChannel(): TabChannel;
}

const TOKEN_KEY = 'mcp-inspect.token';
const CODE = /^#launch=(.+)$/;

const LINK_REFUSED: Failure = {
  code: 'launch-refused',
  message: 'This link was already used or has expired.',
  advice: 'Request a new link. It appears in the terminal where mcp-inspect runs.',
};

const UNREACHABLE: Failure = {
  code: 'proxy-unreachable',
  message: 'mcp-inspect is not responding.',
  advice: 'Restart it in the terminal and open the link that it prints.',
};

/** Returns the launch code in a URL's fragment. */
export function launchCode(hash: string): string | undefined {
  return CODE.exec(hash)?.[1];
}

/**
 * Finds the token by the launch code in the URL, in this tab's storage, or in another tab. Erases the code first, so
 * that no history, copied URL or screenshot holds it. Answers other tabs from then on. `refused` is a token that the
 * proxy refused. Never rejects.
 */
export async function launch(page: LaunchPage = browserPage(), refused?: string): Promise<LaunchResult> {
  const code = launchCode(page.location.hash);
  if (code !== undefined) page.history.replaceState(null, '', page.location.pathname + page.location.search);
  const stored = readToken(page);
  if (code === undefined && stored === undefined && !(await isProxied(page))) return { state: 'no-proxy' };
  const redeemed = code === undefined ? undefined : await redeem(page, code);
  const token = typeof redeemed === 'string' ? redeemed : (stored ?? (await askTabs(page.openChannel(), page.clock)));
  if (token === undefined || token === refused) {
    return { state: 'no-token', failure: typeof redeemed === 'object' ? redeemed : undefined };
  }
  keepToken(page, token);
  const stopSharing = shareToken(page.openChannel(), token);
  return {
    state: 'ready',
    token,
    forget: () => {
      stopSharing();
      forgetToken(page);
    },
  };
}

/** Has the proxy print a new link in its terminal. Rejects with a Failure. */
export async function requestNewLink(page: Pick<LaunchPage, 'post'> = browserPage()): Promise<void> {
  const response = await page.post('/launch', {}).catch(() => undefined);
  if (!response?.ok) throw UNREACHABLE;
}

/**
 * Returns true if a proxy serves the page. Static hosts have a host.json too, so that no console shows a failed
 * request.
 */
async function isProxied(page: LaunchPage): Promise<boolean> {
  const response = await page.get('/host.json').catch(() => undefined);
  const reply: unknown = response?.ok ? await response.json().catch(() => undefined) : undefined;
  return !isObject(reply) || own(reply, 'proxy' satisfies keyof HostReply) !== false;
}

async function redeem(page: LaunchPage, code: string): Promise<string | Failure> {
  const response = await page.post('/launch', { code }).catch(() => undefined);
  if (!response) return UNREACHABLE;
  const reply: Partial<LaunchReply> = response.ok ? await response.json().catch(() => ({})) : {};
  const token = isObject(reply) ? own(reply, 'token') : undefined;
  return typeof token === 'string' ? token : LINK_REFUSED;
}

function readToken(page: LaunchPage): string | undefined {
  try {
    return page.storage.getItem(TOKEN_KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

function keepToken(page: LaunchPage, token: string): void {
  try {
    page.storage.setItem(TOKEN_KEY, token);
  } catch {
    // Without storage, the token must come from another tab or a new link after a reload.
  }
}

function forgetToken(page: LaunchPage): void {
  try {
    page.storage.removeItem(TOKEN_KEY);
  } catch {
    // Storage is forbidden, so no token is stored.
  }
}

function browserPage(): LaunchPage {
  return {
    location: window.location,
    history: window.history,
    // A getter, since even reading `sessionStorage` may throw.
    get storage() {
      return window.sessionStorage;
    },
    clock: systemClock,
    post: (path, body) =>
      fetch(pagePath(path), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    get: (path) => fetch(pagePath(path), { cache: 'no-store' }),
    openChannel: () => new BroadcastChannel('mcp-inspect') as TabChannel,
  };
}

/** The used part of a BroadcastChannel, which connects tabs of the same origin and port. */
export interface TabChannel {
  onmessage: ((message: { data: unknown }) => void) | null;
  postMessage(data: unknown): void;
  close(): void;
}

/** Asks the other tabs for the token. Resolves to undefined if none answers in time. */
function askTabs(channel: TabChannel, clock: Clock): Promise<string | undefined> {
  return new Promise((resolve) => {
    const finish = (token?: string) => {
      stop();
      channel.close();
      resolve(token);
    };
    const stop = clock.after(ASK_TABS_MS, () => finish());
    channel.onmessage = ({ data }) => {
      const token = isObject(data) ? own(data, 'token') : undefined;
      if (typeof token === 'string') finish(token);
    };
    channel.postMessage({ wants: 'token' });
  });
}

/** Answers other tabs until the returned function is called. */
function shareToken(channel: TabChannel, token: string): () => void {
  channel.onmessage = ({ data }) => {
    if (isObject(data) && own(data, 'wants') === 'token') channel.postMessage({ token });
  };
  return () => channel.close();
}

const LINKED = /^#recording=(.+)$/s;

/** Returns the encoded recording in a URL's fragment, as `lib/sharing` makes it. */
export function linkedText(hash: string): string | undefined {
  return LINKED.exec(hash)?.[1];
}

/**
 * Decodes the recording from a URL's fragment to a file. Rejects with a RecordingError. Loads the decoder on demand.
 */
export async function linkedFile(text: string): Promise<File> {
  const { readRecordingLink } = await import('@/lib/sharing/open-link');
  return new File([await readRecordingLink(text)], 'link.mcpr.jsonl');
}

/** Removes a long recording from the URL once it is open, since every history entry would hold it. */
export function dropLongLink(): void {
  const { pathname, search, hash } = window.location;
  if (hash.length > LIMITS.linkEverywhereChars) window.history.replaceState(null, '', pathname + search);
}
