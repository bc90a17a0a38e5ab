import type { ComponentType } from 'react';
import type { ServerSectionProps } from './page-feature';
import { ServerCard } from './server-card/components/server-card';

/** Sections of the server's view. Each draws nothing if it has nothing to say. */
export const SERVER_SECTIONS: readonly ComponentType<ServerSectionProps>[] = [ServerCard];
