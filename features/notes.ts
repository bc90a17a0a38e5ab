import type { ComponentType } from 'react';
import { HostsHealth, LaterObstacles } from './hosts/components/hosts-notes';
import type { HealthNoteProps, ToolNotesProps } from './page-feature';

/** Facts of features about a server, in the bottom line. Each draws nothing if it has nothing to say. */
export const HEALTH_NOTES: readonly ComponentType<HealthNoteProps>[] = [HostsHealth];

/** Notes of features on a tool, above its schemas. */
export const TOOL_NOTES: readonly ComponentType<ToolNotesProps>[] = [LaterObstacles];
