import { callServerTool, listServerTools } from './call-server';
import { compareRuns } from './compare-runs';
import { explain } from './explain';
import { findProblems } from './find-problems';
import { getFrame } from './get-frame';
import { listRecordingsTool } from './list-recordings';
import { queryFrames } from './query-frames';
import type { AgentTool } from './tool';

/** The tools that only read, in the order in which an agent needs them. */
export const READING_TOOLS: readonly AgentTool[] = [
  listRecordingsTool,
  findProblems,
  explain,
  queryFrames,
  getFrame,
  compareRuns,
];

/** The tools that call the server of the command line. */
export const CALLING_TOOLS: readonly AgentTool[] = [listServerTools, callServerTool];
