import type { Action } from '@/lib/doctor/finding';
import type { StartEvent } from '@/lib/store/state';
import type { UrlTarget } from '@/lib/wire/command';

type UrlStart = Extract<StartEvent, { transport: UrlTarget['transport'] }>;

/** An action that connects once more, in another way. */
export type ConnectAction = Exclude<Action, { kind: 'look-further' }>;

/** What connecting again means: the earlier connection is the base, so that its headers go where they may. */
export function actionTarget(action: ConnectAction, connection: string, start: UrlStart): UrlTarget {
  const { transport, url, tls, client } = start;
  if (action.kind === 'skip-verification') {
    return { transport, base: connection, url, ...(client && { client }), tls: { ...tls, insecure: true } };
  }
  const near = URL.canParse(url) && new URL(url).origin === new URL(action.url).origin;
  return { transport: action.transport, base: connection, url: action.url, ...(near && client && { client }) };
}

/** What its button says. */
export function actionWords(action: ConnectAction, url: string): string {
  if (action.kind === 'skip-verification') return 'Connect without verifying';
  const to = new URL(action.url);
  const near = URL.canParse(url) && new URL(url).origin === to.origin;
  const sameAddress = near && new URL(url).href === to.href;
  if (sameAddress) return action.transport === 'sse' ? 'Use HTTP+SSE instead' : 'Use Streamable HTTP instead';
  return `Use ${near ? to.pathname + to.search : to.origin + to.pathname + to.search} instead`;
}
