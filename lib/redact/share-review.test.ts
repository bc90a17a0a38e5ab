import { describe, expect, test } from 'vitest';
import type { Frame } from '@/lib/wire/frame';
import { CaptureRedactor } from './capture-redactor';
import { REDACTION_PATTERN_CHARS } from './extra-patterns';
import { ruleKey } from './findings';
import { Placeholders } from './placeholders';
import type { ShareDecision } from './rules';
import { ShareReview } from './share-review';
import { plantedFrame } from './test-plant';
import { PLANTED } from './test-planted';
import { survivors } from './test-survivors';

const text = ({ bytes }: Pick<Frame, 'bytes'>) => new TextDecoder().decode(bytes);

/** Returns the texts of these frames as shared, and the findings. */
function reviewed(
  frames: readonly Frame[],
  choose?: (review: ShareReview) => Parameters<ShareReview['createRedaction']>[0],
  review = new ShareReview(),
) {
  frames.forEach((frame, index) => {
    review.addFrame({ ...frame, seq: index + 1 });
  });
  const redaction = review.createRedaction(choose?.(review));
  return { findings: review.findings(), shared: frames.map((frame) => text(redaction.apply(frame))), redaction };
}

describe('shares none of the planted secrets, from any recorder', () => {
  test.each(PLANTED)('$where', (planted) => {
    expect(survivors(reviewed(planted.frames).shared.join('\n'), [planted])).toEqual([]);
    const capture = new CaptureRedactor([]);
    const recorded = planted.frames.map((frame) => capture.apply(frame));
    expect(survivors(reviewed(recorded).shared.join('\n'), [planted])).toEqual([]);
  });

  test('all in one recording', () => {
    const frames = PLANTED.flatMap((planted) => planted.frames);
    expect(survivors(reviewed(frames).shared.join('\n'), PLANTED)).toEqual([]);
  });
});

test('removes a header’s secret from bodies before and after, in base64 and percent-encoded', () => {
  const secret = 'pa/ss+w0rd=ü9';
  const header = JSON.stringify({ kind: 'request', headers: [['x-api-key', secret]] });
  const { shared } = reviewed([
    plantedFrame(`early ${secret}`),
    plantedFrame(header, 'http', 'to-server'),
    plantedFrame(`${btoa('pa/ss+w0rd=\u00c3\u00bc9')} ${encodeURIComponent(secret)} ${JSON.stringify(secret)}`),
  ]);
  expect(shared.join('\n')).not.toMatch(/w0rd|cGEvc3/);
  const [placeholder] = /\[redacted:api-key:[0-9a-f]{8}\]/.exec(shared[1]!)!;
  expect(shared[0]).toBe(`early ${placeholder}`);
});

test('a finding says what, where and how often, and shows only the ends of the value', () => {
  const value = 'kX93-ffQ2-zz81-77Tq';
  const { findings } = reviewed([
    plantedFrame(JSON.stringify({ params: { arguments: { 'api-key': value } } }), 'protocol', 'to-server'),
    plantedFrame(`sent ${value} and ${value}`, 'stderr'),
  ]);
  expect(findings).toEqual({
    list: [
      {
        id: expect.stringMatching(/^\[redacted:api-key:[0-9a-f]{8}\]$/),
        kind: 'secret',
        rule: 'api-key',
        label: 'API key',
        rank: 'certain',
        decision: 'mask',
        sample: 'kX9…7Tq',
        length: value.length,
        count: 3,
        places: [
          { seq: 1, channel: 'protocol', path: 'params.arguments["api-key"]' },
          { seq: 2, channel: 'stderr', path: '' },
          { seq: 2, channel: 'stderr', path: '' },
        ],
        fixed: false,
      },
    ],
    unlisted: 0,
    unchecked: 0,
  });
});

test('lists values masked while recording', () => {
  const capture = new CaptureRedactor([]);
  const { findings, shared } = reviewed([
    capture.apply(plantedFrame('{"password":"hunter2!"}')),
    plantedFrame('{"headers":[["authorization","•••"]]}', 'http'),
  ]);
  expect(findings.list).toMatchObject([
    {
      kind: 'masked',
      rule: 'password',
      sample: expect.stringMatching(/^\[redacted:password:/),
      length: 0,
      count: 1,
      places: [{ path: 'password' }],
    },
    { kind: 'masked', rule: '', sample: '•••', count: 1, places: [{ path: 'headers[0][1]' }] },
  ]);
  expect(shared[1]).toBe('{"headers":[["authorization","•••"]]}');
});

test('a person’s decision overrides the rule’s', () => {
  const kept = `{"a":  {"password":"let-me-in-1"}, "token":"zz-99-yy-88", "n": 1.50}`;
  const { shared } = reviewed([plantedFrame(kept)], (review) => ({
    decisions: new Map(review.findings().list.map(({ id, rule }) => [id, rule === 'password' ? 'keep' : 'mask'])),
  }));
  expect(shared[0]).toMatch(
    /^\{"a": {2}\{"password":"let-me-in-1"\}, "token":"\[redacted:token:[0-9a-f]{8}\]", "n": 1\.50\}$/,
  );
});

test('applies literal and regular patterns', () => {
  const { shared } = reviewed([plantedFrame('{"text":"Project Mango-77 of ACME, ticket T-1234"}')], () => ({
    patterns: [{ literal: 'Mango-77' }, { literal: 'ACME' }, { regex: 't-\\d+' }],
  }));
  expect(shared[0]).toMatch(
    /^\{"text":"Project (\[redacted:pattern:\w{8}\]) of (\[redacted:pattern:\w{8}\]), ticket (\[redacted:pattern:\w{8}\])"\}$/,
  );
});

describe('a regular expression matches characters', () => {
  const shared = (text: string | Uint8Array, regex: string) =>
    reviewed([plantedFrame(text as string)], () => ({ patterns: [{ regex }] })).shared[0]!;

  test.each([
    ['{"a":"Grüße, Café"}', '[éü]', '{"a":"Gr•ße, Caf•"}'],
    ['{"a":"Grüße"}', 'gr.ße', '{"a":"•"}'],
    ['{"a":"ä𝄞ö𝄞"}', 'ä.ö', '{"a":"•𝄞"}'],
    // Only the older syntax has such an escape, which can split a character.
    ['{"a":"x𝄞y𝄞"}', 'x.|\\-y', '{"a":"•y𝄞"}'],
    ['{"a":"𝄞y"}', '\\-y|[\\udd1e]y', '{"a":"•"}'],
    ['{"a":"\\u00fcb"}', 'üb.?', '{"a":"•"}'],
    ['{"a":"MÜLLER"}', 'müller', '{"a":"•"}'],
  ])('in %s by %s', (text, regex, expected) => {
    const result = shared(text, regex);
    expect(result.replace(/\[redacted:pattern:\w{8}\]/g, '•')).toBe(expected);
    expect(() => JSON.parse(result)).not.toThrow();
  });
});

test.each([
  [{ literal: 'ab' }, 'pattern-too-short'],
  [{ regex: '(((' }, 'pattern-not-regex'],
  [{ regex: '(' }, 'pattern-not-regex'],
  [{ regex: 'a' }, 'pattern-too-short'],
  [{ literal: 'x'.repeat(REDACTION_PATTERN_CHARS + 1) }, 'pattern-too-long'],
])('refuses an invalid pattern: %j', (pattern, code) => {
  expect(() => new ShareReview().createRedaction({ patterns: [pattern] })).toThrow(expect.objectContaining({ code }));
});

/** A review with few findings. */
const shortReview = () => new ShareReview(new Placeholders(), 50);

test('counts and masks findings beyond the limit', () => {
  const items = Array.from({ length: 55 }, (_, index) => ({ password: `pw-${index}-of-many` }));
  const frames = [plantedFrame(JSON.stringify(items)), plantedFrame(`repeated ${items.at(-1)!.password}`)];
  const { findings, shared } = reviewed(frames, undefined, shortReview());
  expect(findings.list).toHaveLength(50);
  expect(findings.unlisted).toBe(6);
  expect(shared.join()).not.toContain('of-many');
});

test('a decision about a rule applies to its findings beyond the limit', () => {
  const random = (index: number) => `Zx9kQ2vLm4Tn8Rw${index}B`;
  const frames = [plantedFrame(JSON.stringify(Array.from({ length: 60 }, (_, index) => random(10 + index))))];
  const kept = reviewed(frames, undefined, shortReview());
  expect(kept.findings.unlisted).toBeGreaterThan(0);
  expect(kept.shared[0]).toContain(random(69));
  const decisions = (review: ShareReview) =>
    new Map<string, ShareDecision>([
      [ruleKey('random'), 'mask'],
      [review.findings().list[0]!.id, 'keep'],
    ]);
  const { shared } = reviewed(frames, (review) => ({ decisions: decisions(review) }), shortReview());
  expect(shared[0]!.match(/Zx9kQ2vLm4Tn8Rw\d\dB/g)).toEqual([random(10)]);
});

test('reviews with the same salt give a value the same id', () => {
  const ids = [1, 1, 2].map((salt) => {
    const review = new ShareReview(new Placeholders(Uint8Array.of(salt)));
    review.addFrame(plantedFrame('{"password":"123456"}'));
    return review.findings().list[0]!.id;
  });
  expect(ids[0]).toBe(ids[1]);
  expect(ids[0]).not.toBe(ids[2]);
});

test('decodes paths', () => {
  const review = new ShareReview();
  review.addFrame(plantedFrame('{"Größe 🔑":{"password":"123456"}}'));
  expect(review.findings().list[0]!.places[0]!.path).toBe('["Größe 🔑"].password');
});

test('cuts long paths', () => {
  const review = new ShareReview();
  const key = `${'deep'.repeat(50)}`;
  review.addFrame(plantedFrame(`${`{"${key}":`.repeat(20)}{"password":"123456"}${'}'.repeat(20)}`));
  expect(review.findings().list[0]!.places[0]!.path.length).toBeLessThan(600);
});

test('lists random-looking text of 16 characters or more, and keeps it by default', () => {
  const { findings, shared } = reviewed([plantedFrame('it is Zx9kQ2vLm4Tn8RwB now, of configuration2Name')]);
  expect(findings.list).toMatchObject([{ rule: 'random', rank: 'possible', decision: 'keep', length: 16 }]);
  expect(shared[0]).toContain('Zx9kQ2vLm4Tn8RwB');
});

test('does not list a small picture', () => {
  const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  expect(dot.length).toBeLessThan(120);
  expect(reviewed([plantedFrame(JSON.stringify({ data: dot }))]).findings.list).toEqual([]);
  expect(reviewed([plantedFrame(JSON.stringify({ data: dot.slice(11) }))]).findings.list).toHaveLength(1);
});

test('redacts names and notes too', () => {
  const review = new ShareReview();
  review.addFrame(plantedFrame('{"token":"zz-99-yy-88"}'));
  review.addText('bad zz-99-yy-88 – see AKIAQWERTYUIOPASDF12', 'note 1');
  const redaction = review.createRedaction();
  expect(redaction.applyText('bad zz-99-yy-88 – see AKIAQWERTYUIOPASDF12')).toMatch(
    /^bad \[redacted:token:\w+\] – see \[redacted:aws:\w+\]$/,
  );
  expect(redaction.applyText('plain – text')).toBe('plain – text');
  expect(redaction.count).toBe(2);
});

test('uses other placeholders in another review', () => {
  const frame = plantedFrame('{"password":"123456"}');
  expect(reviewed([frame]).shared).not.toEqual(reviewed([frame]).shared);
});

test.each([
  ['SQL', "INSERT INTO users (email, password) VALUES ('a', 'Zx9kQ2vLm4Tn8RwB')", 'mask'],
  ['code', 'key = process.env.API_TOKEN ?? "Zx9kQ2vLm4Tn8RwB"', 'mask'],
  ['a table', '| API_KEY | Zx9kQ2vLm4Tn8RwB |', 'mask'],
  ['another language', 'Kennwort: Zx9kQ2vLm4Tn8RwB', 'mask'],
  ['a language without spaces', '密码：Zx9kQ2vLm4Tn8RwB', 'mask'],
])('random-looking text after the name of a secret is likely one: %s', (_what, text, decision) => {
  const review = new ShareReview();
  review.addFrame(plantedFrame(text, 'stderr'));
  expect(review.findings().list).toMatchObject([{ decision }]);
});
