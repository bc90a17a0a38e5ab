import { hostFindings, hostSummaries } from '@/features/check/lib/host-findings';
import type { CheckedSource } from '@/features/check/lib/report';
import { capitalised } from '@/features/host-judge';
import type { ForHosts } from '@/proxy/commands/shared/for-hosts';
import { readDirectoryFile } from './directory-file';

/** Why a bundle or a server.json was not judged, as sentences about "it". */
export class UnjudgedFile extends Error {}

/** Judges a bundle or a server.json for the directories of `--for`. Starts nothing. Rejects with an UnjudgedFile. */
export async function checkDirectoryFile(
  path: string,
  file: string,
  hosts: ForHosts | undefined,
): Promise<CheckedSource> {
  if (!hosts) throw new UnjudgedFile('It is not a recording. Add `--for registry`, or another directory.');
  const began = performance.now();
  const read = await readDirectoryFile(path);
  if ('wrong' in read) throw new UnjudgedFile(read.wrong);
  const verdicts = hosts.judgeFile(read, hosts.hosts, new Date());
  const findings = hostFindings(verdicts);
  const ms = performance.now() - began;
  return {
    name: file,
    file,
    facts: { hosts: hostSummaries(verdicts) },
    steps: [{ name: 'hosts', ms, findings }],
    notes: verdicts.flatMap(({ title, questions }) =>
      questions.map((question) => `${capitalised(title)}: ${question}`),
    ),
  };
}
