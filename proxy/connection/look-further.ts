import type { HttpSink } from '@/lib/transports/transport';
import type { Neighbourhood } from '@/lib/wire/command';
import type { UrlLaunch } from './url-launch';

/** Asks the neighbours of a server at a URL. Resolves when all is told to the sink; never rejects. */
export type LookFurther = (
  launch: UrlLaunch,
  where: Neighbourhood,
  sink: HttpSink,
  signal: AbortSignal,
) => Promise<void>;
