import { expect, test, vi } from 'vitest';
import type { RecordingFeed } from '../recording-feed';
import { ExchangeFeed, type LastExchanges } from './exchange-feed';
import type { RunningStream } from './http-interception';
import { type GivenRules, HttpTapControl, type ProxyPart } from './http-tap-control';
import type { FirstMessagesWanted, SessionNews } from './session-news';

test('the first messages are asked for once the thread has read what passed before', async () => {
  let read = (): void => {};
  const written = new Promise<void>((resolve) => {
    read = resolve;
  });
  const tell = vi.fn();
  const feed = { isOff: false, written: () => written, tell } as unknown as RecordingFeed<
    LastExchanges | FirstMessagesWanted,
    SessionNews
  >;
  expect(new ExchangeFeed(feed).askFirst('a')).toBe(true);
  await new Promise(setImmediate);
  expect(tell).not.toHaveBeenCalled();
  read();
  await vi.waitFor(() => expect(tell).toHaveBeenCalledExactlyOnceWith({ first: 'a' }));
});

test('rules join an open event stream whose session the thread tells late', () => {
  const join = vi.fn();
  let news: (news: SessionNews) => void = () => {};
  const onNews = (take: typeof news): void => {
    news = take;
  };
  const log = { onNews } as unknown as ExchangeFeed;
  const stream = {} as RunningStream;
  const code = {
    HttpInterception: class {
      readonly isActive = true;
      readonly join = join;
    },
  } as unknown as GivenRules['code'];
  const control = new HttpTapControl(log, () => 'a');
  control.begin({ streams: () => [stream] } as unknown as ProxyPart, { code, apply: () => {} });
  news({ is: 'open', session: 'a' });
  expect(join).not.toHaveBeenCalled();
  news({ is: 'bound', session: 'a', key: 'id 1', hasEndpoint: false });
  news({ is: 'stream', session: 'a', exchange: 1 });
  expect(join.mock.calls).toEqual([[stream], [stream]]);
});
