import type { Failure } from '@/lib/wire/lifecycle';

/** What came of files that were to be kept. */
export interface Imported {
  readonly kept: number;
  readonly failed: readonly { readonly file: string; readonly failure: Failure }[];
}

/** Keeps copies of files, one after the other: what is wrong with one keeps no other from it. */
export async function importFiles(files: readonly File[], add: (file: File) => Promise<unknown>): Promise<Imported> {
  let kept = 0;
  const failed: { file: string; failure: Failure }[] = [];
  for (const file of files) {
    try {
      await add(file);
      kept++;
    } catch (failure) {
      failed.push({ file: file.name, failure: failure as Failure });
    }
  }
  return { kept, failed };
}
