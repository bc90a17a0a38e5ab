import { describe, expect, test } from 'vitest';
import { CaptureRedactor } from './capture-redactor';
import { PLANTED, survivors } from './test-planted';

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe('none of what was planted is in what is written', () => {
  test.each(PLANTED.filter(({ onlyShared }) => !onlyShared))('$where', (planted) => {
    const redactor = new CaptureRedactor([]);
    const written = planted.frames.map((frame) => text(redactor.apply(frame).bytes));
    expect(survivors(written.join('\n'), [planted])).toEqual([]);
    for (const [index, frame] of planted.frames.entries()) {
      if (isJson(text(frame.bytes))) expect(() => JSON.parse(written[index]!)).not.toThrow();
    }
    expect(survivors(planted.frames.map(({ bytes }) => text(bytes)).join('\n'), [planted])).toHaveLength(1);
  });
});

function isJson(value: string): boolean {
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}
