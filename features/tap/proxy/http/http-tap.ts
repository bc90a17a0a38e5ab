import { randomBytes } from 'node:crypto';
import type { UploadWords } from '@/features/recording-store';
import { UPLOADS } from '@/features/recording-stores';
import { systemClock } from '@/lib/wire/clock';
import type { TlsOptions } from '@/lib/wire/connection-settings';
import { Egress } from '@/proxy/egress/egress';
import { loadTls } from '@/proxy/egress/tls-material';
import { ownRecordingsFolder } from '@/proxy/files/data-folder';
import { resolveBinding } from '@/proxy/http/addresses';
import { listenAt, StartError } from '@/proxy/http/listen';
import { exportSettings } from '../open-export';
import { RecordingFeed } from '../recording-feed';
import { ExchangeFeed, type LastExchanges } from './exchange-feed';
import { type GivenRules, HttpTapControl } from './http-tap-control';
import type { HttpTapSession } from './recorded-session';
import { ReverseProxy } from './reverse-proxy';
import { newSessionName } from './session-names';
import type { FirstMessagesWanted, SessionNews } from './session-news';

/** How long the end waits for the recordings, in ms. */
const RECORDING_MS = 10_000;
/** How long the recording waits for more, in ms: it should not take the processor from an exchange that passes. */
const WAKE_MS = 2;
/** Sentences that are printed. A server can cause any number of them. */
const MOST_NOTES = 50;
/** The thread's file in the package. */
const WORKER = new URL('./http-tap-worker.js', import.meta.url);

/** The settings of an HTTP tap on the command line. */
export interface HttpTapLine {
  /** URL of the server, without user info. */
  readonly url: URL;
  /** 0: any free port. */
  readonly port: number;
  /** Address to listen on, and further names that hosts may use for it. */
  readonly address: string;
  readonly names: readonly string[];
  /** Name of the server. Absent: the host of its URL. */
  readonly name?: string | undefined;
  /** The program that uses the tap. */
  readonly host?: string | undefined;
  readonly records: boolean;
  readonly mostBytes: number;
  readonly mostMs: number;
  /** Files of rules, and one of how hosts see the tools, in force from the first message on. */
  readonly intercept: readonly string[];
  /** The receiver of spans; '' for that of the environment. Absent: none. */
  readonly otlp?: string | undefined;
  /** The bucket for recordings. */
  readonly upload?: UploadWords | undefined;
  readonly tls: TlsOptions;
  readonly allowLinkLocal: boolean;
}

interface HttpTapSetting {
  readonly version: string;
  note(sentence: string): void;
  /** Another file than that of the package. */
  readonly worker?: URL;
  /** Another time in ms until the headers of a host have arrived. */
  readonly headersMs?: number | undefined;
}

/** A tap that listens. */
export interface ListeningTap {
  /** The URL for the host, in place of the server's. */
  readonly url: string;
  /** Cuts everything and ends the recordings. */
  close(): Promise<void>;
}

/**
 * Starts a reverse proxy that records. `note` prints a sentence. Rejects with a StartError if the address can't be
 * used, and with a ConnectionError if a file of the options can't. `worker` and `headersMs` are for tests.
 */
export async function startHttpTap(
  line: HttpTapLine,
  { version, note, worker = WORKER, headersMs }: HttpTapSetting,
): Promise<ListeningTap> {
  const { url, address, names, port, allowLinkLocal } = line;
  const noted = new Set<string>();
  const noteOnce = (sentence: string): void => {
    if (noted.has(sentence) || noted.size >= MOST_NOTES) return;
    noted.add(sentence);
    note(sentence);
  };
  const given = await readGiven(line);
  const [otlp, upload] = [await exportSettings(line.otlp), await readUpload(line)];
  const tap = randomBytes(8).toString('hex');
  const binding = resolveBinding(address, names);
  const tls = Object.keys(line.tls).length > 0 ? await loadTls(url.href, line.tls, process.env) : undefined;
  const egress = new Egress({
    clock: systemClock,
    version,
    allowLocal: allowLinkLocal,
    environment: process.env,
    ...(tls && { tls }),
  });
  const proxy = new ReverseProxy({ url, egress, headersMs, note: noteOnce });
  const feed = line.records ? startFeed(line, { tap, version, otlp, upload }, noteOnce, worker) : undefined;
  // Nothing passes before it can be recorded.
  await feed?.ready();
  const found = await listenAt(proxy.server, binding.address, port, true);
  const own = new Set(binding.names.flatMap((one) => [`${one}:${found}`, ...(found === 80 ? [one] : [])]));
  if (own.has(url.host)) {
    proxy.close();
    egress.close();
    await feed?.end(0);
    throw new StartError(OWN_ADDRESS);
  }
  const control = new HttpTapControl(feed, () => newSessionName(tap));
  const shown = `${binding.shown}:${found}`;
  proxy.onListening(own, shown, feed, control);
  control.begin(proxy.part, given);
  if (feed) {
    const about = { name: line.name ?? url.host, host: line.host, at: new Date().toISOString() };
    void control.listen(ownRecordingsFolder(), tap, about);
  }
  return {
    url: `http://${shown}${url.pathname}${url.search}`,
    async close() {
      control.close();
      proxy.close();
      egress.close();
      await feed?.end(RECORDING_MS);
    },
  };
}

const OWN_ADDRESS = {
  code: 'own-address',
  message: 'The URL is the address of this tap itself, so each request would go round for ever.',
  advice: 'Name the server’s own URL, and another `--port`.',
};

async function readGiven({ intercept }: HttpTapLine): Promise<GivenRules | undefined> {
  if (intercept.length === 0) return undefined;
  const { openGivenRules } = await import('../given-rules');
  return {
    apply: await openGivenRules(intercept, 'The tap was not started.'),
    code: await import('./http-interception'),
  };
}

/** Only a tap that uploads loads the code for that. */
async function readUpload({ upload, records }: HttpTapLine) {
  return upload && records ? UPLOADS?.settingsOf(upload) : undefined;
}

function startFeed(
  { url, name = url.host, host, mostBytes, mostMs }: HttpTapLine,
  about: Pick<HttpTapSession, 'tap' | 'version' | 'otlp' | 'upload'>,
  note: (sentence: string) => void,
  worker: URL,
): ExchangeFeed | undefined {
  try {
    const session = {
      ...about,
      url: url.href,
      folder: ownRecordingsFolder(),
      name,
      host,
      mostBytes,
      mostMs,
    };
    return new ExchangeFeed(
      new RecordingFeed<LastExchanges | FirstMessagesWanted, SessionNews>(session, note, worker, WAKE_MS),
    );
  } catch (error) {
    note(`Nothing is recorded: ${(error as Error).message}.`);
    return undefined;
  }
}
