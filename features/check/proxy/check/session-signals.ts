import type { Frame } from '@/lib/wire/frame';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';

/** Facts from the lifecycle of a session so far. */
export class SessionSignals {
  /** The connection fell back to HTTP+SSE. */
  fellBack = false;
  /** A person has to sign in now. */
  waitsForSignIn = false;
  /** Why the server has forgotten its session, as sentences, oldest first. */
  readonly losses: string[] = [];

  readonly onFrame = ({ channel, bytes }: Frame): void => {
    if (channel !== 'lifecycle') return;
    // Our own events need no validation.
    const event = JSON.parse(Buffer.from(bytes).toString()) as LifecycleEvent;
    if (event.event === 'fallback') this.fellBack = true;
    if (event.event === 'authorization') this.waitsForSignIn = event.phase === 'needed';
    if (event.event === 'session-lost') this.losses.push(event.reason ?? '');
  };
}
