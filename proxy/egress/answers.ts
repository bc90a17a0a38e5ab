import { systemClock } from '@/lib/wire/clock';
import { pin, systemResolver } from './address-policy';
import { openTcp } from './socket-steps';

/** Milliseconds for a look: a server that is being developed is near. */
const LOOK_MS = 1000;

/** Resolves with true if something accepts connections at the host and port of a URL. Sends nothing. Never rejects. */
export async function answers(text: string, allowLocal: boolean): Promise<boolean> {
  try {
    const url = new URL(text);
    const { addresses } = await pin(url, { allowLocal }, systemResolver);
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
    const signal = AbortSignal.timeout(LOOK_MS);
    const looks = addresses.map((address) => openTcp(address, port, { clock: systemClock, signal }));
    const sockets = await Promise.allSettled(looks);
    for (const one of sockets) if (one.status === 'fulfilled') one.value.destroy();
    return sockets.some(({ status }) => status === 'fulfilled');
  } catch {
    return false;
  }
}
