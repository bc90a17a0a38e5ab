import { expect, test } from 'vitest';
import { CaptureRedactor } from './capture-redactor';
import { SHAPES } from './shape-rows';
import { plantedFrame, result } from './test-plant';

test.each(SHAPES.map(({ rule, example }, index) => [`${index}: ${rule}`, example.join('')]))(
  'finds the example of shape %s',
  (_, example) => {
    const { bytes } = new CaptureRedactor([]).apply(plantedFrame(result(`it is ${example}.`)));
    const written = new TextDecoder().decode(bytes);
    expect(written).toContain('[redacted:');
    expect(written).not.toContain(example);
  },
);
