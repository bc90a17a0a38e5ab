import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test, vi } from 'vitest';
import { applyEdit, isRecord, type JsonDocument, type JsonPath } from '@/lib/json/edit';
import { EXACT, isExactNumber, parseExactJson, stringifyJson, tryParseJson, writeNumber } from '@/lib/json/exact';
import { readTypedNumber } from '@/lib/json/typed-number';
import { FieldProblems, FieldReveal } from './form-state';
import { JsonForm } from './json-form';
import { anyJson, rootSchema } from './test-schemas';
import { BranchMemory } from './union-branches';
import type { DocumentState } from './use-document';

function documentOf(text: string): DocumentState {
  return {
    text,
    parsed: text.trim() === '' ? { ok: true, value: undefined } : tryParseJson(text),
    sent: text.trim() !== '',
    mode: 'Form',
    setMode: vi.fn(),
    setText: vi.fn(),
    fill: vi.fn(),
    undo: undefined,
    edit: vi.fn(),
    change: vi.fn(),
    generation: 0,
    memory: new BranchMemory(),
    problems: new FieldProblems(),
    reveal: new FieldReveal(),
  };
}

/** Returns the form as markup. Rendering must not change the document. */
function shown(schema: unknown, text = '{}') {
  const document = documentOf(text);
  const markup = renderToStaticMarkup(<JsonForm schema={schema} document={document} empty="nothing" />);
  expect(document.edit).not.toHaveBeenCalled();
  expect(document.change).not.toHaveBeenCalled();
  return markup;
}

test('renders any schema with any arguments, valid or not, without changing them', () => {
  fc.assert(
    fc.property(rootSchema, anyJson, (schema, value) => {
      shown(schema, stringifyJson(value));
      shown(schema);
    }),
    { numRuns: process.env.TEST_LONG ? 250 : 60 },
  );
});

/** Lists every leaf and container of a value, parents first, in the order written. */
function* places(value: unknown, path: JsonPath = []): Generator<{ path: JsonPath; value: unknown }> {
  yield { path, value };
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* places(item, [...path, index]);
  else if (isRecord(value)) for (const [key, item] of Object.entries(value)) yield* places(item, [...path, key]);
}

/** Returns the value that a field reports when the same text is typed into it. */
function typed(value: unknown): unknown {
  if (isExactNumber(value)) return readTypedNumber(writeNumber(value));
  if (Array.isArray(value)) return [];
  return isRecord(value) ? {} : value;
}

test('retyping every field gives the same arguments', () => {
  fc.assert(
    fc.property(anyJson, (value) => {
      const start: JsonDocument = { text: '{}', value: {} };
      const made = [...places(value)].reduce(
        (document, place) => applyEdit(document, { type: 'set', path: place.path, value: typed(place.value) }),
        start,
      );
      expect(stringifyJson(parseExactJson(made.text))).toBe(stringifyJson(value));
    }),
    { numRuns: process.env.TEST_LONG ? 400 : 100 },
  );
});

test.runIf(EXACT)('digits and exponents stay as typed', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }),
      fc.integer({ min: -400, max: 400 }),
      (digits, exponent) => {
        for (const text of [`${digits}`, `${digits}e${exponent}`]) {
          const { text: written } = applyEdit(
            { text: '{}', value: {} },
            { type: 'set', path: ['n'], value: readTypedNumber(text) },
          );
          const number = /: (\S+)\n/.exec(written)![1]!;
          expect(number).toBe(text);
        }
      },
    ),
  );
});

describe('known bugs of other forms', () => {
  test('a union at the root or of objects has fields', () => {
    const union = {
      oneOf: [{ properties: { k: { const: 'a' }, x: { type: 'string' } } }, { properties: { k: { const: 'b' } } }],
    };
    expect(shown({ type: 'object', ...union })).toContain('k: &quot;a&quot;');
    expect(
      shown({ type: 'object', properties: { u: { anyOf: [{ type: 'object' }, { type: 'string' }] } } }, '{"u":{}}'),
    ).toContain('Kind of u');
  });

  test('a reference to a string is a text box, not a JSON box', () => {
    const markup = shown({
      type: 'object',
      properties: { w: { $ref: '#/$defs/W' } },
      $defs: { W: { type: 'string' } },
    });
    expect(markup).toContain('<textarea');
    expect(markup).not.toContain('placeholder="JSON"');
  });

  test('a nullable choice lists its values and null', () => {
    const markup = shown({
      type: 'object',
      properties: { e: { anyOf: [{ enum: ['low'] }, { type: 'null' }], default: null } },
    });
    expect(markup).toMatch(/<option[^>]*>low<\/option><option[^>]*>null<\/option>/);
  });

  test('a title that repeats the name is not shown', () => {
    const markup = shown({
      type: 'object',
      properties: { max_items: { type: 'integer', title: 'Max Items' }, n: { title: 'How many' } },
    });
    expect(markup).not.toContain('Max Items');
    expect(markup).toContain('How many');
  });

  test('a null object is closed and shows null', () => {
    const inner = { type: 'object', properties: { inner: { type: 'string' } } };
    const schema = { type: 'object', properties: { o: { anyOf: [inner, { type: 'null' }] } } };
    expect(shown(schema, '{"o":null}')).not.toContain('>inner<');
    expect(shown(schema, '{"o":null}')).toMatch(/aria-pressed="true"[^>]*>null/);
    expect(shown(schema, '{"o":{}}')).toContain('>inner<');
  });

  test('type, limits, default, title and description stand below the field', () => {
    const n = { type: 'integer', minimum: 1, maximum: 100, default: 10, title: 'How many', description: 'Of them.' };
    expect(shown({ type: 'object', properties: { n } })).toContain(
      'integer · 1–100 · default 10 · How many · Of them.',
    );
    const tags = { type: 'array', minItems: 1, items: { type: 'string', format: 'uuid' } };
    expect(shown({ type: 'object', properties: { tags } })).toContain('array of string uuid · ≥ 1 item');
  });

  test('a long description is cut after three lines or 240 characters', () => {
    const described = (description: string) => shown({ type: 'object', properties: { a: { description } } });
    expect(described('x'.repeat(5000))).toContain('more characters');
    expect(described('1\n2\n3\n4')).toMatch(/3\n.*more character/s);
    expect(described('1\n2\n3')).not.toContain('more character');
  });

  test('a long name breaks between its words', () => {
    const markup = shown({ type: 'object', properties: { createdDateTime: {}, 'very_long-name.of/all': {} } });
    expect(markup).toContain('created<wbr/>Date<wbr/>Time');
    expect(markup).toContain('very_<wbr/>long-<wbr/>name.<wbr/>of/<wbr/>all');
  });

  test('markup in titles, descriptions and choices is text', () => {
    const markup = shown({
      type: 'object',
      properties: { x: { title: '<img src=x>', description: '<script>1</script>', enum: ['<b>', 'javascript:1'] } },
    });
    expect(markup).not.toMatch(/<img|<script|<b>/);
  });
});

test('shows null instead of the only allowed value', () => {
  const schema = { type: 'object', properties: { a: { anyOf: [{ const: 'x' }, { type: 'null' }] } } };
  const markup = shown(schema, '{"a":null}');
  expect(markup).not.toContain('checked=""');
  expect(markup).toMatch(/aria-pressed="true"[^>]*>null</);
  expect(shown(schema, '{"a":"x"}')).toContain('checked=""');
});

test('a sent document is read-only', () => {
  const schema = {
    type: 'object',
    properties: {
      text: { type: 'string', format: 'date' },
      pick: { enum: ['a', 'b'] },
      flag: { type: 'boolean' },
      tags: { type: 'array', items: { type: 'string' } },
      either: {
        anyOf: [
          { title: 'Number', type: 'number' },
          { title: 'Object', type: 'object', properties: { n: {} } },
        ],
      },
      map: { type: 'object', additionalProperties: { type: 'string' } },
      place: { type: 'array', prefixItems: [{ type: 'number' }] },
      one: { const: 1 },
      many: { type: 'array', items: { enum: ['x', 'y'] } },
    },
    required: ['text', 'missing'],
  };
  const text =
    '{"text":"t","pick":"b","tags":["q"],"either":{"n":1},"map":{"k":"v"},"place":[7],"one":1,"many":["x"],"more":2}';
  const document = { ...documentOf(text), readOnly: true } as const;
  const markup = renderToStaticMarkup(<JsonForm schema={schema} document={document} empty="nothing" />);
  // Only the buttons that open and close groups are enabled.
  expect(markup.match(/<button(?![^>]*aria-expanded)[^>]*>/g)).toBeNull();
  const inputs = markup.match(/<(?:input|textarea|select)\b[^>]*>/g)!;
  expect(inputs.length).toBeGreaterThan(8);
  expect(inputs.filter((input) => !/ (?:readOnly|disabled)=""/.test(input))).toEqual([]);
  for (const value of ['value="b"', '>q<', 'value="7"', '>v<', 'value="k"', '>2<']) expect(markup).toContain(value);
});
