import { urlStart } from '@/lib/hub/url-launch';
import type { LifecycleEvent } from '@/lib/wire/lifecycle';
import type { Launch } from './launch';

/** The first frame of a connection: names of what it was started with, never values. `at` is ISO 8601. */
export function startOf(launch: Launch, at: string): LifecycleEvent {
  const { name, protocol } = launch;
  if (launch.transport !== 'stdio') return urlStart(launch, at);
  const { transport, shown, placeholders, cwd, environment, features } = launch;
  const { command, args } = shown;
  const filled = placeholders.length > 0 && { placeholders };
  return {
    event: 'start',
    at,
    name,
    transport,
    command,
    args,
    ...filled,
    cwd,
    environment,
    ...(features && { features }),
    protocol,
  };
}
