import { expect, test } from 'vitest';
import { CaptureRedactor } from './capture-redactor';
import { SECRET_SHAPES } from './shape-rows';
import { plantedFrame, result } from './test-plant';
import { SHAPE_EXAMPLES } from './test-shape-examples';

test('has an example of each shape', () => {
  expect(SHAPE_EXAMPLES).toHaveLength(SECRET_SHAPES.length);
});

test.each(SHAPE_EXAMPLES.map((example, index) => [`${index}: ${SECRET_SHAPES[index]?.rule}`, example.join('')]))(
  'finds the example of shape %s',
  (_, example) => {
    const { bytes } = new CaptureRedactor([]).apply(plantedFrame(result(`it is ${example}.`)));
    const written = new TextDecoder().decode(bytes);
    expect(written).toContain('[redacted:');
    expect(written).not.toContain(example);
  },
);
