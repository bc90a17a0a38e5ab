import { RECORDING_VERSION } from '@/lib/recording/format';
import type { HeaderFacts } from '@/lib/recording/read-header';
import type { RecordingFacts } from '@/lib/wire/recording-facts';

/** What a recording's first line says that people are told. */
export function factsIn(header: HeaderFacts): Pick<RecordingFacts, 'by'> & Partial<RecordingFacts> {
  const { by, mode, version, selection, lacks, policy } = header;
  return {
    by,
    policy,
    ...(mode === 'import' && { imported: true }),
    ...(selection && { selection }),
    ...(lacks && { lacks }),
    ...(version > RECORDING_VERSION && { newer: version }),
  };
}
