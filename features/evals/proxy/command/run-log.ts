import { join } from 'node:path';
import { TerminalChatLog } from '@/features/chat/proxy/command/chat-log';
import { fileName, recordChat } from '@/features/chat/proxy/command/recorded-chat';
import type { CaptureRedactor } from '@/lib/redact/capture-redactor';
import { systemClock } from '@/lib/wire/clock';
import type { RunnerOptions } from '../case-runner';

/**
 * Returns how the attempts of an eval are recorded in a folder. Without one, nothing is recorded. `first`: words that
 * begin the names of all files.
 */
export function attemptRecordings(
  folder: string | undefined,
  version: string,
  secrets: CaptureRedactor,
  printNote: (line: string) => void,
  first: readonly string[] = [],
): Pick<RunnerOptions, 'recordingPath' | 'newLog'> {
  return {
    recordingPath: (...words) =>
      folder === undefined ? undefined : join(folder, `${[...first, ...words].map(fileName).join('-')}.mcpr.jsonl`),
    newLog(path) {
      const log = new TerminalChatLog(systemClock);
      const recording = path === undefined ? undefined : recordChat(path, log.began.at, version, secrets);
      if (recording) log.record(recording.tap(() => 0));
      return {
        events: log.events,
        write: log.write,
        async end() {
          const missing = await recording?.end();
          if (missing !== undefined) printNote(`mcp-inspect: ${missing}`);
        },
      };
    },
  };
}
