import type { Clock } from '@/lib/wire/clock';
import { LIMITS } from '@/lib/wire/limits';
import { isObject, own } from '@/lib/wire/message';

/** What is used of a BroadcastChannel: tabs of this very origin, port included. */
export interface TabChannel {
  onmessage: ((message: { data: unknown }) => void) | null;
  postMessage(data: unknown): void;
  close(): void;
}

/** Asks the other tabs for the token; undefined if none answers in time. */
export function askTabs(channel: TabChannel, clock: Clock): Promise<string | undefined> {
  return new Promise((resolve) => {
    const finish = (token?: string) => {
      stop();
      channel.close();
      resolve(token);
    };
    const stop = clock.after(LIMITS.askTabsMs, () => finish());
    channel.onmessage = ({ data }) => {
      const token = isObject(data) ? own(data, 'token') : undefined;
      if (typeof token === 'string') finish(token);
    };
    channel.postMessage({ wants: 'token' });
  });
}

/** Answers other tabs that ask, until the returned function is called. */
export function shareToken(channel: TabChannel, token: string): () => void {
  channel.onmessage = ({ data }) => {
    if (isObject(data) && own(data, 'wants') === 'token') channel.postMessage({ token });
  };
  return () => channel.close();
}
