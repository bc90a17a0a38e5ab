import { expect, test } from 'vitest';
import { draftOfStart, EMPTY_DRAFT, targetOfDraft, withText } from './server-draft';
import { EMPTY_TLS, tlsDraftOf, tlsOfDraft } from './tls-draft';

const all = { ca: ['/a.pem', '~/b.pem'], cert: 'c.pem', key: 'k.pem', passphraseEnv: 'PASS', insecure: true } as const;

test('what is known goes into the form and comes out the same', () => {
  expect(tlsOfDraft(tlsDraftOf(all))).toEqual(all);
  expect(tlsOfDraft(tlsDraftOf(undefined))).toEqual({});
  expect(tlsOfDraft({ ...EMPTY_TLS, ca: ' /a.pem \n\n', cert: '  ' })).toEqual({ ca: ['/a.pem'] });
});

test('a pasted config brings its own, and it is sent', () => {
  const draft = withText(EMPTY_DRAFT, JSON.stringify({ mcpServers: { a: { url: 'https://h/mcp', tls: all } } }));
  expect(targetOfDraft(draft)).toMatchObject({ url: 'https://h/mcp', tls: all });
});

test('nothing typed is nothing sent', () => {
  expect(targetOfDraft(withText(EMPTY_DRAFT, 'https://h/mcp'))).not.toHaveProperty('tls');
});

test('another origin has to be verified again; files stay', () => {
  const draft = { ...withText(EMPTY_DRAFT, 'https://h/mcp'), tls: tlsDraftOf(all) };
  expect(targetOfDraft(withText(draft, 'https://h/sse'))).toMatchObject({ tls: all });
  const { insecure: _, ...rest } = all;
  expect((targetOfDraft(withText(draft, 'https://evil/mcp')) as { tls: object }).tls).toEqual(rest);
});

test('of an earlier connection: shown, and taken away if emptied', () => {
  const start = {
    event: 'start',
    at: '',
    name: 'h',
    transport: 'http',
    url: 'https://h/mcp',
    headerNames: [],
    protocol: 'auto',
  } as const;
  const draft = draftOfStart('c1', { ...start, tls: { insecure: true } });
  expect(targetOfDraft(draft)).toMatchObject({ base: 'c1', tls: { insecure: true } });
  expect(targetOfDraft({ ...draft, tls: EMPTY_TLS })).toMatchObject({ base: 'c1', tls: {} });
});
