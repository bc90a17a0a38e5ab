import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import type { Launch } from './launch';

/** The first frame of a connection: names of what it was started with, never values. `at` is ISO 8601. */
export function startOf(launch: Launch, at: string): LifecycleEvent {
  const { name, protocol } = launch;
  if (launch.transport !== 'stdio') {
    const { transport, title, headers, placeholders, shown } = launch;
    const filled = placeholders.length > 0 && { placeholders };
    const headerNames = headers.map(([key]) => key);
    const about = { ...(shown.client && { client: shown.client }), ...(shown.tls && { tls: shown.tls }) };
    return { event: 'start', at, name, transport, url: title, ...filled, headerNames, ...about, protocol };
  }
  const { transport, shown, placeholders, cwd, environment } = launch;
  const { command, args } = shown;
  const filled = placeholders.length > 0 && { placeholders };
  return { event: 'start', at, name, transport, command, args, ...filled, cwd, environment, protocol };
}
