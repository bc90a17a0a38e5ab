import { LIMITS } from '@/lib/wire/limits';
import { isObject } from '@/lib/wire/message';
import { within } from './within';

/**
 * A small object that fits a schema, as JSON text; undefined if none is found, or the schema takes too long. What makes it is loaded only
 * when it is first wanted.
 */
export async function sampleOf(schema: unknown): Promise<string | undefined> {
  const [{ makeSample }, { Checker }] = await Promise.all([
    import('@/lib/checker/sample'),
    import('@/lib/checker/check'),
  ]);
  const text = JSON.stringify(schema);
  let fitting: string | undefined;
  try {
    within(LIMITS.schemaWorkMs, () => {
      const sample = JSON.stringify(JSON.parse(makeSample(text, false)));
      const { findings, unchecked } = new Checker(text).check(sample, new Map());
      if (isObject(JSON.parse(sample)) && findings.length === 0 && unchecked === undefined) fitting = sample;
    });
  } catch {
    // The generator can't follow it.
  }
  return fitting;
}
